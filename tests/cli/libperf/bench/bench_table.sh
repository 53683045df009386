# Any table with a time in it: quotes, doubled quotes and newlines in them, a row too short, the header
# again where files were run together.
printf 'config,"time, us",us\n"a ""b"", c",1,2.5\n"two\nlines",3,4\nshort,1\nconfig,"time, us",us\nlast,5,6\n' >t.csv
libperf bench t.csv
