# More columns than a table holds: the first 256, and an error.
{ seq -s, -f 'c%g' 300; echo us; } | paste -sd, - >t.csv
{ seq -s, 300; echo 7; } | paste -sd, - >>t.csv
libperf bench t.csv | tail -n 1 | tr ',' '\n' | wc -l
libperf bench -q t.csv >out
