# An input that breaks: what came before counts, but not a call without the end of its line. Where the input has
# no newline at its end the call may be longer, too: "-n 12" may have been "-n 128". A profile line is whole with
# its brace, and a line that says nothing of a library is a note.
printf 'Running kernel: Cijk_A\nhipblaslt-bench -m 4096 -n 12' >whole.log
gzip -c whole.log | head -c -6 >cut.log.gz
libperf trace -f csv --columns library,config,calls whole.log; echo $?
printf 'Running kernel: Cijk_A\n- { rocblas_function: "rocblas_sgemm", M: 5, call_count: 3 }' >brace.log
libperf trace -f csv --columns library,config,calls brace.log; echo $?
printf 'Running kernel: Cijk_A\nepoch 3/3: 100%%' >bar.log
libperf trace -f csv --columns library,config,calls bar.log; echo $?
libperf trace -f csv --columns library,config,calls cut.log.gz
