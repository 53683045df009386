# Names of --only: what no trace can have is an error that lists what there is; what this trace has
# not is nothing to show, or a note next to what it has.
d=$TESTDATA/rocprofv3/7.0/sync_each
k() {
	echo "# $*"
	kstats whatif -f csv --likely --columns scenario "$@" "$d" >out 2>err
	echo $?
	grep -e only -e 'nothing' err
	cat out
}
k --only 'lauches free'
k --only 'launches free;class gem x 0.5'
k --only ';'
k --only 'class gemm x 0'
k --only 'launches free' --sweep
k --only 'ranks balanced'
k --only 'kernel none x 0.5;class comm x 0.5'
k --only 'launches free;ranks balanced'
k --only 'launches free;no host syncs'
k --apart --only 'launches free;ranks balanced'
k --apart --only 'ranks balanced'
k --apart --only 'kernel none x 0.5'
