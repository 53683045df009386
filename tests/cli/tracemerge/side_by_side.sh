# The commands of docs/slurm.md for xargs, for the ranks there are: the same answers as from the traces, and a second
# run does nothing.
cp -r "$TESTDATA/rocprofv3/7.0/ranks" traces
mv traces/rank0 traces/rank_0
mv traces/rank1 traces/rank_1
awk '/^```sh/ { on = 1; next } /^```/ { exit } on' "$ROOT/docs/slurm.md" | sed 's/1023/1/' >commands
sh -e commands || exit
kstats top -q -f csv --per rank stats.db >got
kstats top -q -f csv --per rank traces >want
cmp got want && wc -l <got
touch -d 2001-01-01 out/rank-1.db
sh -e commands
find out -newermt 2002-01-01 -name 'rank-*' | sort
