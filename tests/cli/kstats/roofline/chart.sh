# A chart: a product of 171.8 TFLOP/s under the roof of a MI300X, in ASCII and in UTF-8, and too narrow; machines get the rows.
COLUMNS=70 kstats roofline -q --chart "$TESTDATA/kineto/7.0/step" || exit
COLUMNS=20 LC_ALL=C.UTF-8 kstats roofline -q --chart "$TESTDATA/kineto/7.0/step" || exit
kstats roofline -q -f csv "$TESTDATA/kineto/7.0/step" >rows
kstats roofline -q -f csv --chart "$TESTDATA/kineto/7.0/step" | cmp - rows || exit
# No roof is known; no work is.
COLUMNS=60 kstats roofline -q --chart "$TESTDATA/kineto/2.9/train" || exit
COLUMNS=60 kstats roofline -q --chart "$TESTDATA/rocprofv3/7.0/demo" || exit
