# Summer time ends: the clock goes from 02:59:59.9 back to 02:00:00.  Nothing is counted across, and never less
# than nothing: 100 W in .1 s twice is 20 J in .2 s.  A time that comes twice is a reading that took none.
cat >fold.csv <<'END'
time,Power(Watt) GPU0
2026-10-25 02:59:59.800000,100.0
2026-10-25 02:59:59.900000,100.0
2026-10-25 02:00:00.000000,100.0
2026-10-25 02:00:00.000000,100.0
2026-10-25 02:00:00.100000,100.0
END
powerstats -f csv fold.csv
# Beside a trace nobody could tell which of the two it was.
powerstats --trace "$TESTDATA/madengine/2.0/energy/app_kernel_trace.csv" --offset 0 fold.csv; echo $?
# A part in which they do not go back will do: the half from 02:00:00 on, with the trace's gemm beginning there (3599.8 s before
# the first row, so that its clock read 3600.8 s then): 100 W for the .1 s that is covered.
powerstats -q -f csv --columns class,busy_ns,energy_j -w ..50% --map 4=0 --offset 3600800000000 --trace "$TESTDATA/madengine/2.0/energy/app_kernel_trace.csv" fold.csv
