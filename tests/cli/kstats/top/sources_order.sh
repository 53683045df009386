# A CSV and a database of one run, and a copy of the CSV elsewhere: one call of k, whatever is named first.  With a table
# beside the copy that the run does not have, that is of the run, too: one copy.
mkdir -p a/run a/csv && printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\nKERNEL_DISPATCH,4,k,1,1000,2000\n' >a/run/77_kernel_trace.csv
PYTHONPATH=$ROOT/tests/gen python3 -B - <<'P'
import make_databases as M
c = M.create("a/run/77_results.db")
r = M.Rocpd(c, "0000004d-0000-7000-8000-000000000001", 0, 77)
r.agent(4, "GPU", "gfx90a", 4)
r.kernel(1, "k")
r.dispatch(1, 1, 1000, 2000, 1)
M.close(c, "a/run/77_results.db")
P
cp a/run/77_kernel_trace.csv a/csv/x.csv
ask() { kstats top -f csv --columns name,calls,total_ns "$@" && kstats copies -q --allow-empty -f csv --columns rank,calls "$@"; }
ask a/run a/csv && ask a/csv a/run && ask a/csv/x.csv a/run/77_results.db a/run/77_kernel_trace.csv && ask 0=a/csv a/run
mv a/csv/x.csv a/csv/77_kernel_trace.csv && ask a
printf 'Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nMEMORY_COPY,HOST_TO_DEVICE,0,4,2,10,20\n' >a/csv/77_memory_copy_trace.csv
ask a/run a/csv && ask a/csv a/run
