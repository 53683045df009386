# A table of no known kind, by the columns and the metric the user names; a row without the key is left out.
printf 'kernel,shape,note,widgets_per_s\nk1,a,x,100\nk1,b,y,50\n,b,z,1\n' >a.csv
printf 'kernel,shape,note,widgets_per_s\nk1,a,z,150\nk1,b,z,50.5\n' >b.csv
libperf compare -f csv --key kernel,shape --metric widgets_per_s a.csv b.csv
