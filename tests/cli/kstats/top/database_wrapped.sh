# From a pipe, from gzip, from an archive: the same as from the file.  Nothing stays in TMPDIR.
f=$TESTDATA/rpd/2/sessions/trace.rpd
kstats top -q -f csv "$f" >plain
kstats top -q -f csv - <"$f" >out && cmp out plain
gzip -c "$f" >t.gz
gzip -dc t.gz | kstats top -q -f csv >out && cmp out plain
kstats top -q -f csv t.gz >out && cmp out plain
tar -cf t.tar -C "$TESTDATA/rpd/2" sessions
kstats top -q -f csv t.tar >out && cmp out plain
mkdir 'odd %name?#'
TMPDIR="$PWD/odd %name?#" kstats top -q -f csv - <"$f" >out && cmp out plain
rmdir 'odd %name?#' && rmdir "$TMPDIR" && mkdir "$TMPDIR"
head -n 2 plain
