# RANK=PATH beats what the path says.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per rank --columns rank,name,calls 5=data/rocprofv3/7.0/ranks/rank0 7=data/rocprofv3/7.0/ranks/rank1
