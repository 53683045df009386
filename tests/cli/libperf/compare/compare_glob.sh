# A quoted pattern and a directory are sides of several files: their rows are repeats.
cp "$TESTDATA/hipblaslt/7.0/bench/default.txt" a1.txt
sed 's/,300$/,310/' a1.txt >a2.txt
mkdir new
cp "$TESTDATA/hipblaslt/7.0/bench/tuned.txt" new/
libperf compare -q -f csv --columns problem,status,base_us,new_us,note 'a*.txt' new
