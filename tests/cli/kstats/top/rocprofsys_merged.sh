# rocprof-sys leaves a trace of each process and merged.proto, which is all of them one behind the other: 400 calls of two
# processes, and in an archive the same.  What is not their concatenation is not read, which is an error.
f=$TESTDATA/perfetto-sdk/44/tiny
mkdir run && cp "$f/tiny.pftrace" run/perfetto-trace-0.proto && cp "$f/tiny_unknown.pftrace" run/perfetto-trace-1.proto
cat run/perfetto-trace-0.proto run/perfetto-trace-1.proto >run/merged.proto
ask() {
	kstats top "$@" -f csv --columns calls >out && awk 'NR > 1 { n += $1 } END { print n }' out
	kstats top -q "$@" -f csv --columns calls --per rank >out; echo "$?"
}
ask run && tar cf run.tar run && ask run.tar && ask run/merged.proto
kstats top -q run/merged.proto run/perfetto-trace-1.proto >out; echo "$?"
printf '\n\0' >>run/merged.proto && tar cf run.tar run && kstats top -q run >out; echo "$?" && kstats top -q run.tar >out; echo "$?"
