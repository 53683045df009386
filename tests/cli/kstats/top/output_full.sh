# -o cannot be written to its end (here: no file may be longer than a block of 512 or 1024 bytes):
# the old file is untouched, no half file is left.
ln -s "$TESTDATA" data
echo old >out.csv
(
	trap '' XFSZ
	ulimit -f 1
	kstats top -f csv --name base -q --domain all -o out.csv data/rocprofv3/7.0/run
)
status=$?
ls
cat out.csv
exit $status
