# Compressed, and from standard input.
ln -s "$TESTDATA" data
set -e
tar -czf t.tgz -C data/rocprofv3/7.0 run
kstats top -f csv --name base t.tgz
kstats top -f csv --name base <t.tgz
