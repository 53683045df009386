# The work of a kernel, and how far from the peaks it is: 2 x 1024 x 4096 x 2048 operations in 100 us on a MI300X.
kstats kernel -q Cijk -f csv "$TESTDATA/kineto/7.0/step" | grep -e ^roofline -e ^answer -e 'missing,roof'
COLUMNS=130 kstats kernel -q Cijk "$TESTDATA/kineto/7.0/step" | grep -e ^roofline
kstats kernel -q fill -f csv "$TESTDATA/kineto/7.0/step" | grep -e ^roofline -e 'missing,roof'
