# + and % are taken for each rank on its own. In both ranks all starts after +250us are those of
# kernels 4 and 5: vecAdd 1+1 us, and 3+1 us in rank 1.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per rank -w +250us.. data/rocprofv3/7.0/ranks
