# With --agent the first screen knows the idle time of that agent, but not whether the host waited while no agent worked,
# nor what a replay of the whole rank saves: sync.idle_pct is absent, and no finding has "up to".
# Ten targets: two missed, this one without data, the others met.
cp -r "$TESTDATA/rocprofv3/7.0/sync_each" run
kstats summary -q --agent 4 run
