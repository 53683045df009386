# Schema 3 keeps arguments apart; rocm-trace-lite has markers among its operations, and its file may say
# that a journal belongs to it.
kstats top -q -f csv --domain all --columns name,calls,total_ns "$TESTDATA/rpd/3/run/trace.rpd"
kstats top -q -f csv --domain all --columns name,calls,total_ns "$TESTDATA/rpd/lite/trace_4321.db"
