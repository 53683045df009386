# A table and the same compressed, or in an archive, are one: 100 W for 2 s are 200 J.  Another node is another table.
cat >p.csv <<'T'
timestamp,gpu,socket_power
0,0,100
1,0,100
2,0,100
T
gzip -k p.csv && tar cf p.tar p.csv
powerstats -f csv --columns device,energy_j p.csv p.csv.gz p.tar
powerstats -q -f csv --columns node,device,energy_j 0=p.csv 1=p.csv.gz
