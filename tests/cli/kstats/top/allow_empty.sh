# Nothing to show is status 2, and 0 with --allow-empty, which leaves errors what they are.
sh "$ROOT/tests/cli/two_ranks"
kstats copies -f csv --columns rank,calls rank0; echo $?
kstats copies -f csv --columns rank,calls --allow-empty rank0; echo $?
kstats copies --allow-empty rank0; echo $?
kstats top --allow-empty none rank0 -n 1 -q -f csv --columns calls; echo $?
: >e.csv
kstats copies -q --allow-empty e.csv
