# A page of HTML is nothing to look at on a terminal: refused, as a database is.  The comment of -f md is text.
term() {
	python3 "$ROOT/tests/cli/term.py" 80 dumb tracereport -q "$@" "$TESTDATA/rocprofv3/7.0/sync_each" | head -n 2
}
term
term -f md
term -o page.html
head -c 15 page.html
