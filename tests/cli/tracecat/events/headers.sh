# Files put one behind the other. The header of the same table, in whatever case and behind a byte
# order mark, is passed over with a note, and all rows of both count. Behind a header with other
# columns (here of an older release) nothing is read, with an error: rows would be taken for names
# that hold commas, or for rows of other numbers.  The second one is of another thread: the same rows
# once more would be an error.
new=$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv
old=$TESTDATA/rocprofv3/6.3/run/node1/5151_kernel_trace.csv
sed '2,$s/,9001,/,9002,/' "$new" >other.csv
cat "$new" other.csv >twice.csv
{ cat "$new"; printf '\357\273\277'; sed '1s/.*/\U&/' other.csv; } >mark.csv
cat "$new" "$old" >new_old.csv
cat "$old" "$new" >old_new.csv
for f in twice mark new_old old_new; do
	tracecat --columns kind,agent,name,start_ns $f.csv >out
	echo "$f $? $(grep -c kernel out)"
done
tracecat --columns kind,agent,name,start_ns old_new.csv
