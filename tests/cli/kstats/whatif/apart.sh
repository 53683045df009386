# Each rank by itself, of each scenario the one that gains most: sync_once of the same program has nothing to gain from
# fewer waits.  Totals have the same bytes; findings do from 65 ranks on, and of a single one.
each=$TESTDATA/rocprofv3/7.0/sync_each once=$TESTDATA/rocprofv3/7.0/sync_once
kstats whatif --apart -q -f csv 0="$each" 1="$once" | tee want
tracemerge -q --stats-only -o 0.db 0="$each"
tracemerge -q --stats-only -o 1.db 1="$once"
kstats whatif --apart -q -f csv 1.db 0.db | cmp want -
kstats whatif --apart -q -f csv 0.db 1="$once" | cmp want -
kstats whatif --apart -q --only 'launches free;no host syncs' 0.db 1.db
for words in whatif 'whatif --apart --sweep' 'whatif --ranks' findings; do
	# shellcheck disable=SC2086
	kstats $words -f csv 0.db 1.db
	echo $?
done
kstats whatif --apart --no-sync "$each"
echo $?
# What is typed next names the input.
findings() {
	kstats findings -q -f csv "$@" | sed 's/,kstats.*//'
}
findings "$each" > want
findings 0.db | cmp want - && wc -l < want
set --
for rank in $(seq 0 64); do
	set -- "$@" "$rank=$each"
done
tracemerge -q --stats-only -o 65.db "$@"
findings "$@" > want
findings 65.db | cmp want - && cut -d, -f2-4 want
kstats findings -q 65.db | sed -n 2p
