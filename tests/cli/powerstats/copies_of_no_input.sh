# Two equal files that are no tables of readings: the directory has no input, and nothing is said to be counted.
mkdir none
echo hello | tee none/a.txt >none/b.txt
powerstats none
echo "status $?"
libperf best none
echo "status $?"
powerstats -v none 2>&1 | grep b.txt
gzip -c none/a.txt >none/c.gz
powerstats none
echo "status $?"
