# --explain prints one rule as text.  Another format, or what chooses rows and columns, is an error of usage: -f json
# printed the same text, which is no JSON.
for option in '-f json' '-f csv' '-n 1' '-s id' '--columns id'; do
	kstats findings -q --explain sync-waits $option "$TESTDATA/rocprofv3/7.0/sync_each"; echo $?
done
kstats findings -q --explain sync-waits -f text "$TESTDATA/rocprofv3/7.0/sync_each" >one && head -n 1 one
