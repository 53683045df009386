# A database whose program was killed in a transaction: without its journal its pages do not fit each other. The message
# says what may help, and nothing is written there.
cp "$TESTDATA/rpd/lite/trace_4321.db" t.db
printf '\377\377\377\377\377\377\377\377' | dd of=t.db bs=1 seek=100 conv=notrunc status=none
kstats top t.db; echo $?
printf '\331\325\005\371\040\241\143\327%600s' '' >t.db-journal
kstats top t.db; echo $?
ls
