# A side with itself, by name or by what is in it; a side without problems; nothing in common; standard input, which
# cannot be read twice; options of traces: told so, status 2.
bench=$TESTDATA/hipblaslt/7.0/bench
cp "$bench/default.txt" a.txt
cp a.txt copy.txt
mkdir none
echo text >none/file
tracediff --per problem a.txt a.txt; echo $?
tracediff --per problem a.txt copy.txt; echo $?
tracediff -q --per problem --allow-self a.txt a.txt | tail -n 1
tracediff -f csv --per problem a.txt none; echo $?
tracediff --per problem none/file a.txt; echo $?
tracediff --per problem "$TESTDATA/madengine/2.0/library/library_trace.csv" "$TESTDATA/miopen/3.5/driver"; echo $?
tracediff --per problem - a.txt; echo $?
tracediff --per problem --on window a.txt copy.txt; echo $?
# Two runs a side, of which one is there twice: it counts once.
tracediff --per problem --columns name,n_a,n_b a.txt copy.txt -- "$bench/tuned.txt"
