# --strict: so does a kernel of unknown class, here one that has a row of its own at --name base
# (helper).
ln -s "$TESTDATA" data
kstats top -f csv --name base --columns name,class --strict data/rocprofv3/7.0/names
