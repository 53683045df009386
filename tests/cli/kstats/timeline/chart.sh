# Strips over time.  Agent 4 of "run" has a window of 710 us.  Each row's parts add up to its to_ns - from_ns, those of
# all rows to the usual table; a bin of 1 ns less idle than all is not blank, one of 1 ns idle not full.
ln -s "$TESTDATA" data
kstats timeline -q --chart --bins 20 data/rocprofv3/7.0/run || exit
kstats timeline -q --chart --bins 7 -f csv data/rocprofv3/7.0/run >bins.csv || exit
kstats timeline -q -f csv data/rocprofv3/7.0/run >whole.csv
awk -F, 'FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
	file == 1 { if ($5 + $6 + $7 + $8 + $9 + $10 != $4 - $3) print "not exact: " $0
		for (i = 5; i <= 10; i++) sum[$2, i] += $i; if ($11 > $10) print "longer: " $0 }
	file == 2 { print $2, sum[$2, 5] - $(at[2, "compute_ns"]), sum[$2, 6] - $(at[2, "exposed_comm_ns"]),
		sum[$2, 7] - $(at[2, "exposed_copy_ns"]), sum[$2, 8] - $(at[2, "move_ns"]), sum[$2, 9] - $(at[2, "wait_ns"]) }' \
	bins.csv whole.csv
# One kernel of 1 ns in a bin of 1000, and one that leaves out the last ns of its bin: neither vanishes.
{
	echo '"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	printf '"KERNEL_DISPATCH","Agent 4","k",%s\n' 1,10000,10001 2,11000,11999 3,12000,13000 4,13999,14000
} >k_kernel_trace.csv
kstats timeline -q --chart --bins 4 k_kernel_trace.csv || exit
# More than eight agents have one strip each; -w zooms.
for i in 0 1 2 3 4 5 6 7 8; do
	cp k_kernel_trace.csv "$i.csv"
	set -- "$@" "$i=$i.csv"
done
sed -i 's/"k",3/"ncclDevKernel_Generic",3/' 8.csv
kstats timeline -q --chart --bins 8 -w 11000..13000 "$@" || exit
# The axis counts from the window, not from the first work as -w does: where that is, is said.
kstats timeline --chart --bins 4 -w +1000..+3000 k_kernel_trace.csv || exit
python3 "$ROOT/tests/cli/term.py" 40 dumb kstats timeline -q --chart k_kernel_trace.csv || exit
LC_ALL=C.UTF-8 python3 "$ROOT/tests/cli/term.py" 40 xterm-256color kstats timeline -q --chart k_kernel_trace.csv || exit
# Not sorted, nor with other columns, is it a chart.
kstats timeline -q --chart --bins 2 -s idle --columns from_ns,idle_ns k_kernel_trace.csv
