# Statistics have no events to judge: that is said, and with --allow-empty it is a note.
cd "$TESTDATA/rocprofv3/resnet" || exit 2
f=2117183_kernel_stats.csv
kstats findings "$f" 2>&1
echo $?
kstats findings --allow-empty "$f" 2>&1
echo $?
