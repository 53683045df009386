# A comment of a merge request: the first screen, and with a baseline its verdict first and the kernels that changed:
# the window 210 us before and 125 us now, no kernel another.  Below 60 lines and 60000 characters.
cd "$TESTDATA/rocprofv3/7.0" || exit
tracereport -q -f md --baseline sync_each sync_once
echo ----
# Kernels of another time, the largest change first: a 1 us and 2 us, b 3 us and 1 us, c is new; d is the same.
cd "$OLDPWD" || exit
kernels() {
	echo Kernel_Name,Start_Timestamp,End_Timestamp
	while [ $# -gt 0 ]; do
		echo "$1,$2,$3"
		shift 3
	done
}
kernels a 1000 2000 b 2000 5000 d 6000 7000 >before.csv
kernels a 1000 3000 b 3000 4000 d 6000 7000 c 7000 7500 >after.csv
tracereport -q -f md --baseline before.csv after.csv | sed -n '/whose time/,$p'
echo ----
printf 'Kernel_Name,Start_Timestamp,End_Timestamp\n' >many.csv
awk 'BEGIN { for (i = 0; i < 300; i++) { s = "`|<script>"; while (length(s) < 3000) s = s s;
	printf "\"%s%d\",%d,%d\n", s, i, i * 2000, i * 2000 + 1000 } }' >>many.csv
sed 's/,\([0-9]*\)$/,\1\1/' many.csv >more.csv
tracereport -q -f md --baseline many.csv more.csv >page.md; echo "status $?"
awk '{ n += length + 1 } END { print NR < 60, n < 60000 }' page.md
grep -c '<script>' page.md
# The targets of a workload: much of GEMM is what a prefill should have.
cd "$TESTDATA/rocprofv3/7.0" || exit
for preset in decode prefill; do
	tracereport -q -f md --preset $preset run | grep missed
	tracereport -q --preset $preset run | grep -o 'kstats summary[^"<]*' | head -n 1
done
tracereport --preset train run
tracereport --open -f md run
