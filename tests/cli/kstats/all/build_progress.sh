# make demo prints a line for each tenth of what is compiled, and nothing if that is nothing.  A make that compiles 20 files.
cat >compiles <<'END'
#!/bin/sh
case $* in
*-n*) ;;
*fail*) exit 2 ;;
esac
for i in $(seq "${FILES:-20}"); do echo "gcc -O3 -c -o $i.o $i.c"; done
END
chmod +x compiles
"$ROOT/tests/build.sh" ./compiles -j2; echo $?
FILES=0 "$ROOT/tests/build.sh" ./compiles; echo $?
FILES=1 "$ROOT/tests/build.sh" ./compiles fail; echo $?
