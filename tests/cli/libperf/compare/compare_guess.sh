# The same without --key: all columns tell rows apart that are neither measures nor settings.  A time wins over a rate.
printf 'kernel,shape,gflops,time_ms,rotating\nk1,a,100,2,0\nk1,b,50,4,0\n' >a.csv
printf 'kernel,shape,gflops,time_ms,rotating\nk1,a,200,1,512\nk1,b,50,4,512\n' >b.csv
libperf compare -f csv a.csv b.csv
