# From a pipe, from gzip, from an archive: the same as from the file.  Nothing stays in TMPDIR.
f=$TESTDATA/rpd/2/sessions/trace.rpd
kstats top -q -f csv "$f" >plain
kstats top -q -f csv - <"$f" | cmp - plain
cat "$f" | kstats top -q -f csv | cmp - plain
gzip -c "$f" | kstats top -q -f csv | cmp - plain
tar -cf t.tar -C "$TESTDATA/rpd/2" sessions
kstats top -q -f csv t.tar | cmp - plain
mkdir 'odd %name?#'
TMPDIR="$PWD/odd %name?#" kstats top -q -f csv - <"$f" >out; cmp out plain
ls "$TMPDIR" 'odd %name?#' | grep trace
head -n 2 plain
