# CRLF, a byte order mark and gzip make no difference; stdin neither.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
sed 's/$/\r/' tuned.txt >"$TMPDIR/crlf"
printf '\357\273\277' | cat - tuned.txt >"$TMPDIR/bom"
gzip -c tuned.txt >"$TMPDIR/gz"
libperf bench - <tuned.txt | cut -d, -f2- >"$TMPDIR/want"
for f in crlf bom gz; do
	libperf bench "$TMPDIR/$f" | cut -d, -f2- | cmp - "$TMPDIR/want"
done
wc -l <"$TMPDIR/want"
rm "$TMPDIR"/*
