# --strict: so does a kernel of unknown class, here two that have a row of their own at --name
# base (scale, helper).
ln -s "$TESTDATA" data
kstats top -f csv --name base --columns name,class --strict data/rocprofv3/7.0/names
