# The other kinds. Copies: 600, 400 and 50 ns. "step, the first" is open for 200 ns, the message of two
# lines for 50 inside it, "load" of another thread for 100; "from here" is stopped by another thread
# after 100; a mark takes 1 ns. One pop has no push, "never ends" no pop.
ln -s "$TESTDATA" data
set -e
columns=name,calls,total_ns
kstats top -q -f csv --domain copy --columns $columns data/rocprofv1/6.2/text_hip
kstats top -q -f csv --domain hip --columns $columns data/rocprofv1/6.2/text_hip
kstats top -f csv --domain marker --columns $columns data/rocprofv1/6.2/text_hip
kstats top -q -f csv --domain all --columns $columns,class data/rocprofv1/6.2/text_hsa
