# -s calls,name: scale<float> ran twice, all others once and so by name, in bytes: "(" before "C"
# before "t" before "v".
ln -s "$TESTDATA" data
kstats top -f csv -s calls,name data/rocprofv3/7.0/names
