# Numbers are numbers, as the client printed them.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf bench -f json -n 2 --columns line,us,hipblaslt-Gflops,solution_name,device tuned.txt
