# gzip whose checksum is wrong: all rows are there, and the user is told not to trust them.
ln -s "$TESTDATA" data
gzip -nc data/rocprofv3/7.0/run/app_kernel_trace.csv >t.gz
python3 -c '
b = bytearray(open("t.gz", "rb").read())
b[-8] ^= 1
open("t.gz", "wb").write(b)'
kstats top -f csv --name base t.gz
