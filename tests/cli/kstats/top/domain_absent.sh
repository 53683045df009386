# An allocation whose row of run.db names no domain is an allocation, not a kernel, also next to one of
# scratch memory, whose row does: 30 and 50 ns.
cat >a.csv <<'END'
kind,rank,pid,tid,name,start_ns,end_ns,bytes,domain
alloc,0,1,1,MEMORY_ALLOCATION_ALLOCATE,100,130,64,alloc
alloc,0,1,1,SCRATCH_MEMORY_ALLOC,200,250,64,scratch
END
set -e
tracemerge -q -o a.db a.csv
python3 -c "
import sqlite3
c = sqlite3.connect('a.db')
c.execute(\"UPDATE alloc SET domain = NULL WHERE domain = 'alloc'\")
c.commit()"
kstats top -w 100ns..300ns -f csv --columns class,calls,total_ns,name --domain all -q a.db
kstats top -w 100ns..300ns -q a.db
