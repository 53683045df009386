# --columns, -s and -n as everywhere.
cd "$TESTDATA/rocprofv3/7.0" || exit 2
tracediff -q -f csv --columns name,calls_b -s calls_b,name -n 2 demo run --allow agents,arch; echo $?
tracediff --columns nme a b
