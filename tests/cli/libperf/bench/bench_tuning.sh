# A tuning file: the version in its first line belongs to every row.
cd "$TESTDATA/hipblaslt/7.0/tuning" || exit 2
libperf bench --columns line,m,n,k,us,solution_index,gcnArchName,CUs,git_version tune_gemm_results.txt
