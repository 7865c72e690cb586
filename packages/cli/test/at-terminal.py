"""Runs a command in a pseudo terminal of 100 columns: stdin is typed into it, and its output goes to stdout."""
import fcntl, os, pty, select, signal, struct, sys, termios

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGKILL))
sources = [terminal, 0]
while terminal in sources:
    ready, _, _ = select.select(sources, [], [])
    for source in ready:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b""
        if not data:
            sources.remove(source)
        elif source == terminal:
            os.write(1, data)
        else:
            os.write(terminal, data)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
