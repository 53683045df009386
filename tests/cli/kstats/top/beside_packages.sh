# A build directory: static libraries and packages are no packings that traces come in, and no errors next to the table.  k takes
# 100 ns.  Who names such a file hears what it is.
printf 'Kernel_Name,Start_Timestamp,End_Timestamp\nk,1000,1100\n' >k.csv
printf '!<arch>\nfoo.o/          0           0     0     644     8         `\n\177ELF\0\0\0\0' >libfoo.a
printf '\355\253\356\333\003\0\0\0\0\0\0\0' >x.rpm
kstats top -f csv --columns name,calls,total_ns .; echo "status $?"
kstats top libfoo.a; echo "status $?"
kstats top x.rpm; echo "status $?"
