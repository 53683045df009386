# A counter collection: a row for each counter of each dispatch, the value in the fewest digits.
tracecat --columns kind,name,dispatch_id,counter,value,grid,workgroup,start_ns "$TESTDATA/rocprofv3/6.3/pmc/pass_1"
