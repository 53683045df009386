# API calls, copies and markers as rocprofv2 prints them.
ln -s "$TESTDATA" data
set -e
for d in hip marker copy; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv2/6.1/cli/trace.txt
done
