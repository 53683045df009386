# A file that opens but cannot be read, for root too.
kstats top -f csv --name base /proc/self/mem
