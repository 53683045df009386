# An unescaped quote in a roctx message, as rocprof v1 writes it: all before it is read, the byte is named.
# In the second file the fault comes after the copy.
sed 's/"name":"step one"/"name":"step "one""/' "$TESTDATA/rocprofv1/6.2/json/results.json" > quote.json
kstats top -f csv --domain copy --columns name,calls quote.json; echo $?
sed 's/"name":"hipLaunchKernel"/"name":"hip "Launch""/' "$TESTDATA/rocprofv1/6.2/json/results.json" > later.json
kstats top -f csv --domain copy --columns name,calls later.json
