# -o FILE is no terminal: no color in the file.
ln -s "$TESTDATA" data
set -e
python3 "$ROOT/tests/cli/term.py" 100 xterm kstats top -o out data/rocprofv3/7.0/run/app_kernel_trace.csv
grep -c "$(printf '\033')" out || true
