# Every command of the page of statistics files works: kstats findings has no answer without events, so the table of
# findings has none.
cp "$TESTDATA"/rocprofv3/7.0/cut/*.csv .
tracereport -q -o page.html . || exit
sed -n 's/.*<code class="cmd">\([^<]*\)<.*/\1/p' page.html | sed "s/&#39;/'/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g" | sort -u >commands
while read -r line; do
	echo "$line" >one
	sh one >out 2>&1 || echo "failed: $line"
done <commands
wc -l <commands
grep -o '"findings":{"command":[^,]*' page.html
