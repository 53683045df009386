# An .rpdb folder, and its index.yaml by itself: the databases it names, also one that lies elsewhere, and
# none of them twice.
mkdir run.rpdb
cp "$TESTDATA/rocpd/3.0.0/small/70_results.db" elsewhere.db
cp "$TESTDATA/rocpd/3.0.5/small/70_results.db" run.rpdb/here.db
printf 'rocprofiler-sdk:\n  rocpd:\n    files:\n    - here.db\n    - ../elsewhere.db\n    path: .\n' >run.rpdb/index.yaml
kstats top -f csv --columns rank,name,calls --per rank run.rpdb
kstats top -f csv --columns rank,name,calls --per rank run.rpdb/index.yaml
printf "rocprofiler-sdk:\n  rocpd:\n    rocpd_package_version: '1.0'\n    files: 'elsewhere.db'\n" >one.yaml
kstats top -f csv --columns name,calls one.yaml
printf 'rocprofiler-sdk:\n  rocpd:\n    files: [elsewhere.db, gone.db]\n' >gone.yaml
kstats top -f csv --columns name,calls gone.yaml
