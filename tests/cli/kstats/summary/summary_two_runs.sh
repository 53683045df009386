# The same program twice: it waits for the GPU after every kernel, or once at the end.  One look tells:
# the host waits three quarters of its time either way (once it waits for everything), but only in
# the first run does the GPU wait as well: idle 90 of 210 us against 5 of 125.
cd "$TESTDATA/rocprofv3/7.0" || exit
kstats summary sync_each
kstats summary -q -f csv sync_once
