# A trace given as a file and inside a database counts once, in any order, with a note; a rank that
# was given to it by hand stays.  So for the other tools, and for members of an archive.
cp -r "$TESTDATA/rocprofv3/7.0/ranks" .
tracemerge -q --align none -o run.db ranks
tracemerge -q --align none -o again.db run.db ranks/rank1
tracemerge --align none -o again.db ranks/rank1 run.db 2> err
sed 's/[0-9]* bytes, [0-9.]* seconds/B bytes, S seconds/' err
sqlite3 again.db 'SELECT rank, path FROM input ORDER BY rank'
kstats top -q -f csv ranks > want
kstats top -q -f csv run.db ranks | cmp - want
tar cf ranks.tar ranks
tracemerge -q --align none -o tar.db ranks.tar
kstats top -q -f csv --per rank ranks > want
kstats top -q -f csv --per rank tar.db ranks.tar | cmp - want
tracecat info -q -f csv --columns rank,path ranks.tar tar.db
# Kept apart by hand they are two.
tracemerge -q --align none -o given.db 5=ranks/rank1
tracecat info -q -f csv --columns rank,rank_rule,path ranks/rank1/app_kernel_trace.csv given.db
cp ranks/rank1/app_kernel_trace.csv plain.csv
tracecat info -q -f csv --columns rank,rank_rule,path plain.csv given.db
tracecat info -q -f csv --columns rank,path 6=plain.csv given.db
