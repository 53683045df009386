# Up to 6.1: no "[0]:", a blank before the rates; "[0]" without a colon; a complex alpha whose comma has no
# quotes; a type that is "non-supported type".  Torn: the values on line 8, and the header on line 10
# behind which nothing comes.
cd "$TESTDATA/hipblaslt/6.1/bench" || exit 2
libperf bench old.txt
