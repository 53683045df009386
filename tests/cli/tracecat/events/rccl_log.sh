# The line of every release: 400 = 100 floats; AllToAllv has no count; 800 = 100 doubles (5.1); 100 bytes
# (6.0); with a time in front; with a carriage return; a datatype that is not known has no bytes.  Cut: opCount 22, 23 (24 is
# written over it), 25 lacks globalrank; 26 is the last line and has no end.  KL of block 0 and its KE: 1229 us.
cd "$TESTDATA/rccl/releases" || exit
tracecat -f csv --columns kind,pid,tid,domain,name,start_ns,end_ns,bytes releases.log
