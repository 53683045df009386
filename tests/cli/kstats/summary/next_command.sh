# What is typed next reads what this screen did: -w, --agent, --rank and the rest are in it, so that pasted it has the
# same numbers.  With --agent nothing is said of what sync and whatif would refuse.  In the second half of sync_each the longest
# gap is 18 us of 105.
cp -r "$TESTDATA/rocprofv3/7.0/sync_each" 'a run'
kstats -q -w 50%.. --rank 0 --agent 4 'a run' | grep -A1 -e '^! ' || exit
kstats -q -w 50%.. --rank 0 --agent 4 -f csv 'a run' | sed -n 's/^finding.1.command,,text,,,//p' >next || exit
cat next
sh next || exit
kstats findings -q -w 50%.. 'a run' | tail -n 2 || exit
# Of sums alone there are no collectives to list; comm is 83 % of the kernel time.
kstats -q -f csv "$TESTDATA/rocprofv3/resnet/2118357_kernel_stats.csv" | sed -n "s,$TESTDATA,TESTDATA,;/^finding.*command/p"
