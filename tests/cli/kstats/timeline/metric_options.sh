# Options belong to the sub-commands that know them; two tables at once are refused.
kstats timeline --domain hip x.csv; echo "status $?"
kstats classes --explain --unclassified x.csv; echo "status $?"
kstats timeline --per queue x.csv; echo "status $?"
kstats timeline -s speed x.csv; echo "status $?"
kstats classes --columns name x.csv; echo "status $?"
kstats classes --explain --list-columns; echo "status $?"
kstats gemm --max-unclassified 101 x.csv
