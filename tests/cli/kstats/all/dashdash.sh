# What comes after "--" is a file, whatever it is called: the first screen of it.
cp "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" ./-odd.csv && cp ./-odd.csv top
kstats -q -f csv ./-odd.csv | grep -v command >one && kstats -q -f csv -- -odd.csv | grep -v command | cmp - one &&
	kstats -q -f csv -- top | grep -v command | cmp - one
kstats -q -f csv -- -odd.csv | grep command
