# A relative window needs two passes: not over standard input, nor over a pipe.
ln -s "$TESTDATA" data
kstats top -w +1us.. - <data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
mkfifo pipe
kstats top -w 10%.. pipe
