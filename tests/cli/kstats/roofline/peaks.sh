# Peaks: CUs x MHz x operations.  Without inputs.
kstats roofline --peaks -f csv || exit
COLUMNS=110 kstats roofline --peaks -n 3 || exit
kstats roofline --peaks . ; echo $?
# Of one product: the rows above that begin with its name.  An unknown one is an error, as for inputs,
# with the names of all that are known.
kstats roofline --peaks -f csv | grep '^MI210,' >all
kstats roofline --peaks -f csv --gpu MI210 | tail -n +2 | cmp - all || exit
kstats roofline --peaks --gpu MI9 ; echo $?
# In any case, as it is typed.
kstats roofline --peaks -f csv --gpu mi210 | tail -n +2 | cmp - all || exit
