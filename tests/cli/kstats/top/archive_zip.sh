# A zip, from a file and from standard input; its members may be compressed once more.
ln -s "$TESTDATA" data
set -e
mkdir run
gzip -nc data/rocprofv3/7.0/run/app_kernel_trace.csv >run/k.csv.gz
zip -qr t.zip run
kstats top -f csv --name base t.zip
kstats top -f csv --name base <t.zip
