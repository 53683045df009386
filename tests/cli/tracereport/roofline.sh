# The roofline of one product: 171.7953 TFLOP/s at 585.1429 FLOP/B, below 1307.4432 TFLOP/s and 5300 GB/s, published 708.
# The field is 896 wide from 70 and 298 high from 16, for the decades 10^2..10^3 and 10^4..10^2: the point is at
# 70 + 0.76726 x 896 = 757.5 (below a half) and 16 + (4 - 2.23501) / 2 x 298 = 279.0; the roof bends at 246.687 FLOP/B, at
# 70 + 0.39215 x 896 = 421.4 and 16 + (4 - 3.11642) / 2 x 298 = 147.7.
tracereport -q "$TESTDATA/kineto/7.0/step" | grep '<circle\|<polyline class="line\( dash\)*" points="[0-9]*,[0-9]* [0-9]*,[0-9]*\( [0-9,]*\)*" fill="none"'
# A trace without matrix work has no chart.
tracereport -q "$TESTDATA/rocprofv3/7.0/sync_each" | grep -c 'class="roof"' || :
# The caption describes the lines that are there: none, where the GPU is unknown.
tracereport -q -o known.html "$TESTDATA/kineto/7.0/step"
tracereport -q -o page.html "$TESTDATA/kineto/2.9/train"
grep -h -o '<figcaption>Speed over[^<]*' known.html page.html
# Numbers are those of rows that the table shows, and none is on another: 11 high, 7 or 14 wide.
python3 - <<'END'
import re
page = open("page.html").read()
at = page.index('class="roof"')
text = [(int(x), int(y), n) for x, y, n in re.findall(r'<text class="n" x="(\d+)" y="(\d+)"[^>]*>(\d+)<', page[at:])]
shown = page[page.index('id="t-roofline"'):].split("</table>")[0].count("<tr>") - 1
meet = [(a, b) for a in text for b in text if a < b and abs(a[1] - b[1]) < 11 and
        a[0] < b[0] + 7 * len(b[2]) and b[0] < a[0] + 7 * len(a[2])]
print(len(text) > 0, max(int(t[2]) for t in text) <= shown, meet)
END
