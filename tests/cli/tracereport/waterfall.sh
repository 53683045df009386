# Thirty kernels of 1 us each and one idle time of 10 us before; then the n-th takes n * 100 ns more, and nothing is idle.
# The parts are +100, +200 ... +3000 ns and -10000 ns, together +36.5 us: 40 us before, 76.5 us after.  The largest 23 are
# idle and +3000 down to +900; those of +100 to +800 are one bar of +3.6 us, so that the way ends where B does.
run() { # FILE STEP IDLE: kernels of 1000 + n * STEP ns
	awk -v step="$2" -v idle="$3" 'BEGIN {
		print "kind,rank,agent,name,start_ns,end_ns"
		at = 100000
		for (n = 1; n <= 30; n++) {
			printf "kernel,0,4,k%c%c,%d,%d\n", 97 + n / 10, 97 + n % 10, at, at + 1000 + n * step
			at += 1000 + n * step + (n == 15 ? idle : 0)
		}
	}' >"$1"
}
run a.csv 0 10000
run b.csv 100 0
tracereport -q --baseline a.csv b.csv >page.html || exit
sed -n '/From A to B/,/<.div>/p' page.html | sed 's/<svg.*rect \(class="[a-z]*"\).* x=\("[0-9]*" width="[0-9]*"\).*<.svg>/ \1 \2 /; s/<[^>]*>/ /g'
# Few parts are all drawn.
tracereport -q --baseline "$TESTDATA/rocprofv3/7.0/sync_each" "$TESTDATA/rocprofv3/7.0/sync_once" >page.html || exit
sed -n '/From A to B/,/<.div>/p' page.html | sed 's/<svg.*<.svg>/ /; s/<[^>]*>/ /g'
