# Peaks: CUs x MHz x operations.  Without inputs.
kstats roofline --peaks -f csv || exit
COLUMNS=110 kstats roofline --peaks -n 3 || exit
kstats roofline --peaks . ; echo $?
