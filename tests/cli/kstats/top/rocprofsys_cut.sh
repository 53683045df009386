# Cut inside a row: what stands before it is read, and it is an error. Of the JSON the rows before are read.
cd "$TESTDATA/rocprofsys/1.2/run" || exit
head -c 1300 wall_clock-4001.txt >"$TMPDIR/cut.txt"
head -c 3000 wall_clock-4001.json >"$TMPDIR/cut.json"
cd "$TMPDIR" || exit
kstats top -f csv --domain marker --columns name,calls,total_ns cut.txt; echo "status $?"
kstats top -f csv --domain marker --columns name,calls,total_ns cut.json; echo "status $?"
rm cut.txt cut.json
