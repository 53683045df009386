# --help of the tool; -h is the same.
set -e
kstats --help >long
kstats -h >short
cmp long short
cat long
