# An archive in which nothing is a trace.
echo hello >log.txt
tar -cf t.tar log.txt
kstats top -f csv --name base t.tar
