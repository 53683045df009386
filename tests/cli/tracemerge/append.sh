# A database cannot be put behind something: the file stays as it is.
echo text > run.db
tracemerge "$TESTDATA/rocprofv3/7.0/demo" >> run.db; echo $?
cat run.db
