# SPDX-License-Identifier: MIT
"""completions.py BUILD: types half a word into each shell, presses the tab key and looks at the line."""
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading

BUILD = os.path.abspath(sys.argv[1])
TOOLS = "kstats libperf powerstats tracecat tracecheck tracediff tracemerge tracereport".split()

# What is typed, and the line then; bash and fish leave out the blank or comma behind.
LINES = [
    ("kstats ga", "kstats gaps "),
    ("kstats top --form", "kstats top --format="),
    ("kstats top --format cs", "kstats top --format csv "),
    ("kstats top --format=cs", "kstats top --format=csv "),
    ("kstats top -f cs", "kstats top -f csv "),
    ("kstats top --columns na", "kstats top --columns name,"),
    ("kstats top --columns name,tot", "kstats top --columns name,total_ns,"),
    ("kstats top -s tot", "kstats top -s total_ns,"),
    ("kstats top --per rank,ag", "kstats top --per rank,agent,"),
    ("kstats top --rows 5 --form", "kstats top --rows 5 --format="),
    ("kstats top one", "kstats top one.csv "),
    ("libperf tr", "libperf trace "),
    ("libperf trace --jo", "libperf trace --job="),
    ("tracecat in", "tracecat info "),
    ("tracecat one", "tracecat one.csv "),
    ("tracecat --to nd", "tracecat --to ndjson "),
    ("tracecat info --form", "tracecat info --format="),
    ("tracediff --on ke", "tracediff --on kernel "),
    ("tracediff one.csv one", "tracediff one.csv one.csv "),
    ("tracecheck --pre", "tracecheck --preset="),
    ("tracemerge --align co", "tracemerge --align collectives "),
    ("powerstats --what vr", "powerstats --what vram "),
]


def commands():
    """(tool, sub-command or "", its long options with whether they take a value)."""
    for tool in TOOLS:
        page = subprocess.run([BUILD + "/" + tool, "--completion", "fish"], capture_output=True, text=True,
                              check=True).stdout
        seen = {}
        for line in page.splitlines():
            m = re.match(rf"complete -c {tool}(?: -n '?(\S+?)(?: \\'([a-z]+)\\')?'?)?( -s .)? -l (\S+)(.*)", line)
            if m:
                seen.setdefault(m[2] or "", []).append((m[4], bool(re.match(r" -[xr]", m[5]))))
        for command, options in seen.items():
            yield tool, command, options


def unique(options):
    """Each option whose name begins no other: half of it that is nobody else's."""
    names = [n for n, _ in options]
    for name, value in options:
        half = name[:-1]
        if len(half) > 1 and [n for n in names if n.startswith(half)] == [name]:
            yield half, name, value


def lines():
    yield from LINES
    for tool, command, options in commands():
        front = f"{tool} {command}".rstrip()
        for half, name, value in unique(options):
            yield f"{front} --{half}", f"{front} --{name}" + ("=" if value else " ")


ZSH = r"""
PS1=; unsetopt beep promptcr; autoload -Uz compinit && compinit -u -D
for f in *.zsh; do source ./$f; done
setopt noautomenu; LISTMAX=100000
show() { print -r -- "$BUFFER" > fifo; BUFFER= }
zle -N show; bindkey '^G' show; bindkey '^I' complete-word
print -r -- ready > fifo
"""


def zsh(asked):
    """Types into a shell on a terminal; a key of its own hands out the line."""
    os.mkfifo("fifo")
    pid, fd = pty.fork()
    if not pid:
        os.environ.update(HOME=os.getcwd(), ZDOTDIR=os.getcwd(), TERM="dumb", LC_ALL="C")
        os.execvp("zsh", ["zsh", "-f", "-i"])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 4000, 0, 0))

    def drain():
        try:
            while os.read(fd, 65536):
                pass
        except OSError:
            pass

    def line():
        with open("fifo") as f:
            return f.read().rstrip("\n")

    threading.Thread(target=drain, daemon=True).start()
    os.write(fd, ZSH.encode())
    line()
    got = []
    for text in asked:
        os.write(fd, text.encode() + b"\t\x07")
        got.append(line())
    os.write(fd, b"exit\n")
    os.waitpid(pid, 0)
    os.unlink("fifo")
    return got


def fish(asked):
    """Its `complete -C` answers candidates for the last word."""
    script = "".join(f"source {t}.fish\n" for t in TOOLS)
    script += "".join(f"echo ==\ncomplete -C '{text}'\n" for text in asked)
    out = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True,
                         env=dict(os.environ, HOME=os.getcwd(), LC_ALL="C")).stdout
    got = []
    for text, part in zip(asked, out.split("==\n")[1:]):
        words = [w.split("\t")[0] for w in part.splitlines()]
        got.append(text.rpartition(" ")[0] + " " + " ".join(words))
    return got


BASH = r"""
compopt() { case "$*" in "-o default") files=1 ;; *"+o default"*) files= ;; esac; }
for f in *.bash; do . ./$f; done
try() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) files=1
	"_$1"
	if [ -n "$files" ] && [ ${#COMPREPLY[@]} = 0 ]; then
		COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
	fi
	echo "${COMPREPLY[*]}"
}
"""


def bash(asked):
    """Its functions, called as the shell calls them: words are parted at "=" as well."""
    script = BASH + "".join("try " + " ".join(f"'{w}'" for w in text.replace("=", " = ").split(" ")) + "\n"
                            for text in asked)
    out = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True).stdout
    return [re.match(r".*[ =]", text)[0] + word for text, word in zip(asked, out.splitlines())]


def main():
    asked, bad, n = list(lines()), 0, 0
    if int(os.environ.get("EFFORT", "100")) < 10:
        asked = asked[:len(LINES)] + asked[len(LINES)::7]
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.environ["PATH"] = BUILD + ":" + os.environ["PATH"]
        open("one.csv", "w", encoding="ascii").close()
        for shell, ask in (("bash", bash), ("zsh", zsh), ("fish", fish)):
            if not shutil.which(shell):
                continue
            for tool in TOOLS:
                with open(f"{tool}.{shell}", "wb") as f:
                    subprocess.run([BUILD + "/" + tool, "--completion", shell], stdout=f, check=True)
            for (text, want), got in zip(asked, ask([t for t, _ in asked])):
                n += 1
                if got != (want if shell == "zsh" else want.rstrip(" ,=")):
                    bad += 1
                    print(f"{shell}: '{text}' becomes '{got}', should be '{want}'")
        os.chdir("/")
    print(f"{n} completions asked of shells, {bad} of them wrong")
    return 1 if bad else 0


sys.exit(main())
