# --help of a sub-command, and -h, also after other options.
set -e
kstats top --help >long
kstats top -n 3 -h missing.csv >short
cat short
cat long
