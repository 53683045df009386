# --help of a sub-command, also behind other options.
set -e
kstats top --help >long
kstats top -n 3 -h missing.csv >short
cmp long short
cat long
