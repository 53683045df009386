# A table with a row for each counter, cut between the rows of dispatch 2: both parts have that dispatch, which would count
# twice, with half of its counters each.  Cut between dispatches, the parts share none and are read.
# shellcheck source=/dev/null
. "$ROOT/tests/cli/counted"
counted p/a_counter_collection.csv 1 k SQ_WAVES 4 100 200 1 k SQ_INSTS_VALU 8 100 200 2 k SQ_WAVES 4 300 400
counted p/b_counter_collection.csv 2 k SQ_INSTS_VALU 8 300 400 3 k SQ_WAVES 4 500 600 3 k SQ_INSTS_VALU 8 500 600
for c in top counters; do
	kstats $c -f csv p; echo $?
	kstats $c -f csv p/b_counter_collection.csv p/a_counter_collection.csv; echo $?
done
counted q/a_counter_collection.csv 1 k SQ_WAVES 4 100 200 1 k SQ_INSTS_VALU 8 100 200
counted q/b_counter_collection.csv 2 k SQ_WAVES 4 300 400 2 k SQ_INSTS_VALU 8 300 400
# Of another process with the same numbers and times: nothing is shared.
sed 's/,7,7,/,8,8,/' q/a_counter_collection.csv >q/c_counter_collection.csv
kstats top -q -f csv --columns name,calls,total_ns q || exit
kstats counters -q -f csv --columns counter,dispatches,sum q
