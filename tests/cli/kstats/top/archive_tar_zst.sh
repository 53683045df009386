# With zstd.
ln -s "$TESTDATA" data
set -e
tar -cf - -C data/rocprofv3/7.0 run | zstd -q -c >t.tar.zst
kstats top -f csv --name base t.tar.zst
