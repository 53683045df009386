# A table of 6 kernels of 10 ns, cut by 'split -l 3': what has no header cannot be read (2 calls, 20 ns), and is not skipped
# without a word as other files of a directory are.  Joined, or with a header each, they are 6 kernels, 60 ns.
head='"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Grid_Size"'
row() { for i; do echo "\"KERNEL_DISPATCH\",4,\"a(int, float)\",$i,${i}000,${i}010,64"; done; }
ask() { kstats top -f csv --columns calls,total_ns "$@"; echo "status $?"; }
mkdir a b && { echo "$head" && row 1 2; } >a/xaa && row 3 4 5 >a/xab && row 6 >a/xac && echo HIP_VISIBLE_DEVICES,0,1 >a/environment
ask a
ask a/xab
cat a/xa? >b/a.csv && ask b
# So it is with what a spreadsheet made of the table of another process: fields between semicolons, which it says or not.
{ echo "$head" && row 1 2 3; } | tr , ';' >b/b.csv && ask b
{ echo 'sep=;' && cat b/b.csv; } >b/c.csv && ask b/c.csv
# Between commas it is read.
{ printf 'sep=,\r\n' && echo "$head" && row 1 2; } >c.csv && ask c.csv
{ printf '"sep=,"\n' && echo "$head" && row 1 2 3; } >c.csv && ask c.csv
