# Every table of one run, each event once and in the columns that are promised: 9 dispatches, 12 + 8
# + 3 + 3 + 3 API calls, 4 markers, 5 + 3 allocations, 3 copies.  The three agents are no events.
tracecat -f csv "$TESTDATA/rocprofv3/7.0/run"
