# A viewer that forbids styles, as Jenkins does, draws shapes without a color in black: of a bar of five parts it is all of
# it.  Each shape has its color, or that of its picture, as an attribute; a picture is as high as with the style.
# shape FILE: those without a color, and whole pictures without a height that is not their width
shape() {
	awk 'BEGIN { RS = "<" }
		/^svg/ { of = /fill=/; drawn++ ; if (!/height=/ && !/class="(flame|roof)"/) print "no height:", $0 }
		/^(rect|path|polyline|circle|text)/ && !of && !/fill=/ && !/^path d=/ { print "black:", $0 }
		END { print (drawn > 20 ? "many" : "few") " pictures" }' "$1"
}
tracereport -q --baseline "$TESTDATA/rocprofv3/7.0/sync_each" "$TESTDATA/rocprofv3/7.0/sync_once" >page.html
shape page.html
tracereport -q "$TESTDATA/rocprofv3/7.0/ranks" >ranks.html
shape ranks.html
# The colors of the palette on white: compute, communication.
grep -o '<path class="f-[a-z]*" [^>]*>' ranks.html | sed 's/ d=".*" fill/ fill/' | sort -u
