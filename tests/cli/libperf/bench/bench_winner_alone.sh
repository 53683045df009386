# Of a log that was cut down to its Winner block the row is a row.
sed -n '/^Winner/,$p' "$TESTDATA/hipblaslt/6.3/bench/all_solutions.txt" >winner.txt
libperf bench --columns line,us,solution_index,winner winner.txt
