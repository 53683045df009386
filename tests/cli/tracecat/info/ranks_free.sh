# Ranks are dealt around those that inputs have by themselves: traces 0 and 2, path 1, so x and y get 3 and 4, in
# their order, wherever they stand.
mkdir rank1
for f in x y rank1/z; do
	cp "$TESTDATA/rocprofv3/7.0/hostile/one_kernel_trace.csv" ${f}_kernel_trace.csv
	echo "\"KERNEL_DISPATCH\",4,1,0,10,2,1,\"$f\",2,100,200,0,0,8,0,16,64,1,1,64,1,1" >>${f}_kernel_trace.csv
done
for r in 0 2; do
	sed "s/\"rank\": 3/\"rank\": $r/; s/MT64x64x32/MT64x64x$r/" "$TESTDATA/kineto/7.0/step/worker_77.pt.trace.json" >k$r.json
done
info() { tracecat info -q -f csv --columns path,rank,rank_rule "$@"; }
info x_kernel_trace.csv k2.json y_kernel_trace.csv rank1 k0.json
info k0.json y_kernel_trace.csv rank1 x_kernel_trace.csv k2.json
info --from kineto-json k0.json
# The same in steps: what was 0 and 1 alone is 3 and 4 here.
tracemerge -q --align none -o one.db x_kernel_trace.csv k2.json y_kernel_trace.csv rank1 k0.json
tracemerge -q --align none -o a.db x_kernel_trace.csv
tracemerge -q --align none -o b.db k2.json y_kernel_trace.csv
tracemerge -q --align none -o c.db rank1 k0.json
info a.db b.db
tracemerge -q --align none -o two.db a.db b.db c.db
info one.db >want
info two.db | cmp - want
# What is merged again stays where it was: in that database 0, 2 and 4 were free.
tracemerge -q --align none -o three.db 1=rank1/z_kernel_trace.csv x_kernel_trace.csv 3=k0.json y_kernel_trace.csv
info three.db | tee want
tracemerge -q --align none -o four.db three.db
info four.db | cmp - want
# A file that says nothing has the rank of the rest of its run, unless that has two.
cp "$TESTDATA/rocprofv3/7.0/run/app_hip_api_trace.csv" x_hip_api_trace.csv
info x_hip_api_trace.csv 5=x_kernel_trace.csv
cp "$TESTDATA/rocprofv3/7.0/run/app_marker_api_trace.csv" x_marker_api_trace.csv
info x_hip_api_trace.csv 5=x_kernel_trace.csv 6=x_marker_api_trace.csv
