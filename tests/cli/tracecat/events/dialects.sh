# Older profilers: products instead of shapes, wave sizes, copies among the operations, kernels
# without times.  Every one in the same columns.
for f in rocprofv2/6.1/run rocprofv2/5.7/ops rocprofv2/6.1/cli rocprofv1/6.2/stats/results.csv \
	rocprofv1/6.2/no_times/results.csv rocpd/7.1/run; do
	tracecat -q "$TESTDATA/$f"
done
