# No window holds what starts at the last instant that a number can be: it is left out, and said to be.
cat >run.csv <<'EOF'
kind,rank,agent,name,start_ns,end_ns
kernel,0,4,a,18446744073709551015,18446744073709551515
kernel,0,4,b,18446744073709551515,18446744073709551615
kernel,0,4,c,18446744073709551615,18446744073709551615
EOF
kstats top -f csv --columns name,calls,total_ns run.csv
tracecat info -f csv --columns rows,skipped run.csv
printf 'kind,rank,agent,name,start_ns,end_ns\nkernel,0,4,c,18446744073709551615,18446744073709551615\n' | kstats top
