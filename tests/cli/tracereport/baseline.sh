# The verdict of tracediff, what the difference consists of, and the number before beside each that is another: the
# same figures as those of tracediff, idle time 90 us before, 5 us now.
tracereport -q --baseline "$TESTDATA/rocprofv3/7.0/sync_each" "$TESTDATA/rocprofv3/7.0/sync_once" >page.html || exit
grep -o '<span class="verdict">.*</span>' page.html | sort -u
grep -A 4 '<pre>' page.html
grep -o '5.000 us <small>A: 90.00 us</small>' page.html | sort -u
grep -o '>tracediff [^<]*<' page.html | sed "s,$TESTDATA,TESTDATA,g"
# With itself: refused in words, the page is there, the status is 2.
tracereport -q --baseline "$TESTDATA/rocprofv3/7.0/sync_each" "$TESTDATA/rocprofv3/7.0/sync_each" >page.html 2>said
echo $?
sed "s,$TESTDATA,TESTDATA,g" said
grep -o '<span class="verdict">.*</span>' page.html | sort -u | sed "s,$TESTDATA,TESTDATA,g"
tail -n 1 page.html
# A baseline that is not there.
tracereport -q --baseline missing "$TESTDATA/rocprofv3/7.0/sync_each" >page.html
