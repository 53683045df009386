# An input that breaks: what came before counts, but not a call without the end of its line; where the input is
# whole, it does.
printf 'Running kernel: Cijk_A\nhipblaslt-bench -m 4096 -n 12' >whole.log
gzip -c whole.log | head -c -6 >cut.log.gz
libperf trace -f csv --columns library,config,calls whole.log; echo $?
libperf trace -f csv --columns library,config,calls cut.log.gz
