# On a narrow terminal a line below the verdict goes on in the next one deeper than it began, so that this is no line of
# its own.
LC_ALL=C.UTF-8 python3 "$ROOT/tests/cli/term.py" 60 dumb tracediff -q "$TESTDATA/rocprofv3/7.0/sync_each" \
	"$TESTDATA/rocprofv3/7.0/sync_once" | sed '/^$/,$d'
