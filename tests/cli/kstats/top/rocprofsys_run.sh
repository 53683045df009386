# The folder of a run has the same calls in several tables and formats: the wall clock's JSON counts, and
# nothing else does; so it prints what that file alone prints. Through a run.db too.
cd "$TESTDATA/rocprofsys/1.2" || exit
kstats top -q -f csv --domain marker run/wall_clock-4001.json >"$TMPDIR/one"
kstats top -f csv --domain marker run >"$TMPDIR/all"; echo "status $?"
cmp "$TMPDIR/one" "$TMPDIR/all"
tracemerge -q -o "$TMPDIR/run.db" run
kstats top -q -f csv --domain marker "$TMPDIR/run.db" >"$TMPDIR/all"; echo "status $?"
cmp "$TMPDIR/one" "$TMPDIR/all"
rm "$TMPDIR/one" "$TMPDIR/all" "$TMPDIR/run.db"
