# Two statistics files of nine rows each, cut: rows are shown, by Welch's t, and that neither is whole.
cd "$TESTDATA/rocprofv3/resnet" || exit 2
tracediff -f csv --columns name,status,calls_a,calls_b,delta_ns,calls_effect_ns,mean_effect_ns,p_value,significant,test \
	2117183_kernel_stats.csv 2118357_kernel_stats.csv
