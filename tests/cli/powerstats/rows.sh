# Rows that do not fit: too few cells, too many, an open quote (which spoils its own row only), empty lines; a header
# that comes again, as where two files were put together; and a last line without an end, which may be truncated.
printf 'time,Power(Watt) GPU0\n2026-03-01 10:00:00,10\n2026-03-01 10:00:01\n\n2026-03-01 10:00:01,10,10\n2026-03-01 10:00:01,"10\n\r\ntime,Power(Watt) GPU0\n2026-03-01 10:00:02,10\n2026-03-01 10:00:03,1' >rows.csv
powerstats -f csv --gap 5 rows.csv
# One that does not: the file was cut.
printf 'time,Power(Watt) GPU0\n2026-03-01 10:00:00,10\n2026-03-01 10:00:01,10\n2026-03-01 10:00:0' >cut.csv
powerstats -f csv -q cut.csv; echo $?
# Another header is another table: what stands behind it is not read.
printf 'time,Power(Watt) GPU0\n2026-03-01 10:00:00,10\n2026-03-01 10:00:01,10\ntime,vram(%%) GPU0\n2026-03-01 10:00:00,50\n' >two.csv
powerstats -f csv -q two.csv
