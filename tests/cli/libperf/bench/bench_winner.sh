# Three solutions and the winner told once more: three rows, the second is the winner, and has the
# solution index that only the Winner block knows.
cd "$TESTDATA/hipblaslt/6.3/bench" || exit 2
libperf bench --columns line,us,solution_index,winner all_solutions.txt
