# --color: never and always, on a terminal and without one; else CLICOLOR_FORCE asks for it, TERM=dumb and
# NO_COLOR forbid it, NO_COLOR first.  16 colors, or 256 where TERM says so: gemm is #1463dc on dark, whose
# nearest are 94 and 26 (#005fd7), and #3c62a1 on light: gray, or 61 (#5f5faf).
f=$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv
show() { "$@" kstats top -n 1 --columns class,pct --color="${color:-auto}" "$f" | sed 's/\x1b/ESC/g'; }
none=$(show env)
test "$none" = "$(TERM=dumb CLICOLOR_FORCE=0 show env)" && test "$none" = "$(NO_COLOR=1 CLICOLOR_FORCE=1 show env)" || exit
CLICOLOR_FORCE=1 TERM=dumb show env
color=always
NO_COLOR=1 TERM=xterm-256color show env
COLORTERM=truecolor COLORFGBG='0;15' show env
COLORFGBG='0;15' show env
python3 "$ROOT/tests/cli/term.py" 100 dumb kstats top -n 1 --columns class,pct --color=always "$f"
python3 "$ROOT/tests/cli/term.py" 100 xterm kstats top -n 1 --columns class,pct --color=never "$f"
