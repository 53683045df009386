# "help" and "help SUBCOMMAND" are --help; a misspelt sub-command is told apart from one that does not come first.
kstats --help >want
kstats help | cmp - want
kstats gaps --help >want
kstats help gaps | cmp - want
libperf help best >have
libperf best --help | cmp - have
# No page is wider than a terminal.
for page in kstats "kstats top" "kstats regions" libperf "libperf compare" tracecat "tracecat info" tracemerge powerstats; do
	$page --help
done >have
awk 'length > 80' have
kstats help gpas; echo "status $?"
kstats tpo --help; echo "status $?"
kstats -q top --help; echo "status $?"
kstats -q "$TESTDATA/rocprofv3/7.0/demo" | head -n 1; echo "status $?"
kstats -q top "$TESTDATA/rocprofv3/7.0/demo"
