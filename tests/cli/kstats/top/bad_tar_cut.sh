# A tar that is cut inside its second member, in the third row: the first member counts (comm 5+5,
# vecAdd 1+1+1 us), and so do the rows before (comm 9, vecAdd 1).
ln -s "$TESTDATA" data
set -e
tar --sort=name -cf t.tar -C data/rocprofv3/7.0/ranks rank0 rank1
head -c 4200 t.tar >cut.tar
set +e
kstats top -f csv --name base cut.tar
