# What three or more inputs have in common is said once, with how many they are; -v says it of each, two inputs are
# named, and json has all of it.  With --strict skipped rows are errors, which are never folded.
for i in 0 1 2 3; do
	cp "$TESTDATA/rocprofv3/7.0/hostile/reversed_kernel_trace.csv" "rank${i}_kernel_trace.csv"
	set -- "$@" "$i=rank${i}_kernel_trace.csv"
done
kstats top -n 1 -f csv --columns calls "$@"
echo 'two:' >&2
kstats top -n 1 -f csv --columns calls "$1" "$2"
echo 'verbose:' >&2
kstats top -v -n 1 -f csv --columns calls "$@"
echo 'strict:' >&2
kstats top --strict -n 1 -f csv --columns calls "$@"; echo "status $?"
kstats top -q -n 1 -f json "$@" >out
grep -o '[^"]*rows skipped' out
