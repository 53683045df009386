# A directory is walked, whatever the files are called; what is no trace is passed over in
# silence.
mkdir -p run/deep/er
cp "$TESTDATA"/rocprofv3/7.0/run/app_kernel_trace.csv run/deep/er/renamed.txt
echo hello >run/log.txt
cp "$TESTDATA"/rocprofv3/7.0/run/app_hip_api_trace.csv run/deep
kstats top -f csv --name base run
