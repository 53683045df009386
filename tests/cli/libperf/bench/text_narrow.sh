# Text on a terminal that is too narrow for the 48 columns of hipblaslt-bench: what was measured and its size stay,
# options of the problem go, then the file, at last all measures but the best, which is the time.  Before, sizes, rates
# and the time went first, and transA to bias_type were all that was left.
cp "$TESTDATA/hipblaslt/7.0/bench/default.txt" default.txt; cp "$TESTDATA/miopen/3.5/driver/conv.txt" .
for width in 60 80 120; do
	COLUMNS=$width libperf bench -q -f text -n 2 default.txt >out && head -n 3 out
done
COLUMNS=80 libperf bench -q -f text -n 1 conv.txt
