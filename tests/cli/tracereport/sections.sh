# The sections in their order, what is not in the input in one line, and the commands of the tables: rows that are
# not shown are counted, and options that choose what is read are in each command.
tracereport -q --rank 0 -w 0%..100% "$TESTDATA/rocprofv3/7.0/sync_each" >page.html || exit
grep -o '<h2 id=[^>]*>.*</h2>' page.html
sed -E 's,<span class="o">([^<]*)</span>,\1,g' page.html | grep -o '<p class="dim" id="t-[^<]*'
grep -o '<code class="cmd">kstats top.*</code>' page.html | sed "s,$TESTDATA,TESTDATA,"
# The policy comes before the style.
grep -n -o -e 'default-src .none.' -e '<style>' page.html | sed 's/^\([0-9]*\):/line \1: /'
