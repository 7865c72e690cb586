"""Runs a command in a pseudo terminal with a delay for every byte in both directions: slow-line.py SECONDS COMMAND..."""
import fcntl, os, pty, select, signal, sys, termios, time, tty

delay = float(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])


def resize(*_):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8))


resize()
signal.signal(signal.SIGWINCH, resize)
before = termios.tcgetattr(0)
tty.setraw(0)
late = []
sources = [terminal, 0]
while terminal in sources or late:
    wait = max(0, late[0][0] - time.monotonic()) if late else None
    ready, _, _ = select.select(sources, [], [], wait)
    for source in ready:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b""
        if data:
            late.append((time.monotonic() + delay, 1 if source == terminal else terminal, data))
        else:
            sources.remove(source)
    while late and late[0][0] <= time.monotonic():
        _, target, data = late.pop(0)
        while data:
            data = data[os.write(target, data) :]
termios.tcsetattr(0, termios.TCSANOW, before)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
