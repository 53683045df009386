# One run, none, three without --, an unknown option, a word that is none of --on and --allow: told so, status 2.
tracediff one.csv; echo $?
tracediff -- one.csv; echo $?
tracediff a b c; echo $?
tracediff --flor 3 a b; echo $?
tracediff --on wall a b; echo $?
tracediff --allow self,nothing a b; echo $?
tracediff --alpha 0 a b
