# The same file on both sides, and the same content by another name.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf compare tuned.txt tuned.txt
echo $?
cp tuned.txt "$TMPDIR/copy.txt"
libperf compare -q tuned.txt - <"$TMPDIR/copy.txt"
status=$?
rm "$TMPDIR/copy.txt"
exit $status
