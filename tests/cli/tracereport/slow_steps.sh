# A slow step is outlined in the columns of the steps: step 7 of 12 takes five times as long as the others.
sh "$ROOT/tests/cli/one_slow_step" 12 7
kstats steps -q -f csv --columns step,slow run.csv | grep -v ',$'
tracereport -q -o page.html run.csv || exit
grep -o '<rect class="f-conv mark"[^/]*/title>' page.html | sed 's/ x=.*<title>/ /'
