# Databases made from a directory, from its archive and from its compressed files hold the same traces: counted once.
sh "$ROOT/tests/cli/two_ranks"
tar czf run.tgz rank0 rank1
tracemerge -q -o a.db rank0 rank1 && tracemerge -q -o b.db run.tgz && gzip rank?/*.csv && tracemerge -q -o c.db rank0 rank1 || exit
ask() { tracemerge -q -o o.db "$@" && kstats top -q -f csv --name base --columns name,calls o.db; }
ask a.db b.db && ask c.db b.db a.db && ask a.db rank0 rank1 && ask run.tgz c.db && ask run.tgz rank0 rank1
tracemerge -q -o d.db rank0 && ask d.db run.tgz
# A database in an archive, next to it.
tar cf db.tar a.db && kstats top -q -f csv --name base --columns name,calls db.tar a.db
