# A name that is markup stays text in the page, in the data of the script, and in the title.
mkdir '<i>run'
cat >'<i>run/app_kernel_trace.csv' <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,"</script><img src=x onerror=""alert(1)"">",1,1000,2000
KERNEL_DISPATCH,Agent 1,<!-- plain,2,2000,2500
END
tracereport -q '<i>run' >page.html || exit
grep -o "^<title>.*<.title>" page.html
grep -o '<h1>.*</h1>' page.html
# The only images and scripts are ours: no img, two scripts.
grep -c '<img' page.html
grep -o '<script[^<]*>' page.html
# In the table and in the data.
grep -o '^<tr><td class="x">.*/script[^/]*/summary>' page.html
grep -o '^.*\(plain\|img\)[^,]*",' page.html | sort -u
