# An answer without rows that is no error replaces the file of -o: a script that tests the status must not read the
# answer of an earlier run.  Text has no heading over nothing.  If it is an error, the file stays.
for format in csv json text; do
	echo old >file
	kstats classes -q --unclassified -f $format --columns name,calls -o file "$TESTDATA/rocprofv3/7.0/ranks/rank0"; echo $?
	grep -v inputs file
done
kstats classes -q --unclassified -f csv --columns name,calls -o - "$TESTDATA/rocprofv3/7.0/ranks/rank0"
kstats copies -q -f csv --columns calls --allow-empty -o file "$TESTDATA/rocprofv3/7.0/ranks/rank0"; echo $?
cat file
kstats copies -q -f csv -o file "$TESTDATA/rocprofv3/7.0/ranks/rank0"; echo $?
cat file; rm file
