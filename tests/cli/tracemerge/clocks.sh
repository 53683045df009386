# More than one rank and nothing to align them by: said, unless nobody asked.
tracemerge -o run.db "$TESTDATA/rocprofv3/7.0/ranks" 2> err
grep -c 'clocks are as they were' err
sqlite3 run.db 'SELECT method, offset_ns, residual_ns FROM clock'
tracemerge --align none -o run.db "$TESTDATA/rocprofv3/7.0/ranks" 2> err
grep -c 'clocks are as they were' err
