# -n is an option of tables: nobody sorts or cuts a database.
tracemerge -n 5 "$TESTDATA/rocprofv3/7.0/demo"
