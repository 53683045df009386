# A page is in UTF-8 wherever it goes, and so are the commands on it: a folder is called as it is, not by the octal
# numbers that a terminal of another encoding needs.  U+884C is \350\241\214.
name=$(printf '\350\241\214')
cp -r "$TESTDATA/rocprofv3/7.0/sync_each" "$name"
for format in html md; do
	LC_ALL=C tracereport -q -f "$format" "$name" >page
	grep -c "kstats sync \(&#39;\|'\)$name" page
	grep -c '350' page
done
# shellcheck disable=SC2016
LC_ALL=C.UTF-8 python3 "$ROOT/tests/cli/term.py" 200 xterm sh -c 'tracereport -q -f md "$1" | cmp - page && echo same' - "$name"
