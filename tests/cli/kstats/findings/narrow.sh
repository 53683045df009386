# On a narrow terminal what is said of findings goes on on the next line; commands are for copying, and stay whole.
ln -s "$TESTDATA" data
COLUMNS=60 kstats findings -q data/rocprofv3/7.0/sync_each >out || exit
cat out
grep -v 'kstats ' out | awk 'length > 60 { print "too long: " length }'
