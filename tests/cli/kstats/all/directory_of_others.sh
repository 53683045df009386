# A directory without traces: what another tool reads there is named, the first of it, and -v lists all files, on the
# first screen as well.
mkdir dir
echo hello >dir/notes.txt
cp "$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv" dir/power.csv
kstats dir; echo $?
kstats -v dir; echo $?
rm dir/power.csv
kstats top dir
