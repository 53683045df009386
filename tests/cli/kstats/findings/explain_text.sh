# --explain prints one rule as text.  Another format, or what chooses rows and columns, is an error of usage: -f json
# printed the same text, which is no JSON.
explain() {
	kstats findings -q --explain sync-waits "$@" "$TESTDATA/rocprofv3/7.0/sync_each"; echo $?
}
explain -f json
explain -f csv
explain -n 1
explain -s id
explain --columns id
explain -f text >one && head -n 1 one
