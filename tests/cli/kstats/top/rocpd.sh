# rocpd, two processes in one file, from the tables and not from the views.  Of process 100: fill 100 + 20 ns
# (the second on an agent that is not in the database), gemm 300 + 100 + 150 (without thread, without event),
# 10 ns of a kernel whose name is missing; one row ends before it begins, one has no start.  Of process 200:
# axpy 40 + 30.  The producer's view of kernels leaves out those without thread, event, kernel or agent.
cd "$TESTDATA" || exit
kstats top -f csv --columns name,calls,total_ns,min_ns,max_ns rocpd/3.0.5/processes/merged.db
