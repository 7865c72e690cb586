import { expect, test } from "vitest";
import { quoted, shortened, wordsOf } from "../../src/sandbox/command-line.ts";

const entrance = 'exec bwrap --dev-bind / / -- "$RUN" -c "$SCRIPT"';
const line = (...words: readonly string[]) => words.map(quoted).join(" ");

/** A command line as the runtime builds it. */
function wrapped({ second = "/run/a.sock", last = line("/lib/apply-seccomp", "/bin/sh", "-c", entrance) }) {
  const listener = (port: number, socket: string) =>
    `/opt/socat TCP-LISTEN:${port},fork,reuseaddr UNIX-CONNECT:${socket} >/dev/null 2>&1 &`;
  const steps = [listener(3128, "/run/a.sock"), listener(1080, second), "trap 'rc=$?; exit $rc' EXIT", last];
  const env = ["--setenv", "FTP_PROXY", "socks5h://a:b@localhost:1080", "--setenv", "X", "it's -- $HOME"];
  return line("bwrap", ...env, "--", "/bin/sh", "-c", line("/bin/sh", "-c", steps.join("\n")));
}

const known = { entrance, socat: { outside: "/opt/socat", inside: "socat" } };

test("any words survive quoting", () => {
  const words = ["", "plain", "it's", "''", "a b\nc", '"$x"', "=zsh", "\\", "a='b'"];
  expect(wordsOf(line(...words))).toEqual(words);
});

test("the runtime's command line is reduced to one shell and one listener", () => {
  const words = wordsOf(shortened(wrapped({}), known));
  expect(words.slice(0, -1)).toEqual([
    ...["bwrap", "--setenv", "FTP_PROXY", "socks5h://a:b@localhost:3128", "--setenv", "X", "it's -- $HOME"],
    ...["--", "/bin/sh", "-c"],
  ]);
  expect(words.at(-1)).toBe(
    "socat TCP-LISTEN:3128,fork,reuseaddr UNIX-CONNECT:/run/a.sock >/dev/null 2>&1 &\n" +
      'exec /lib/apply-seccomp bwrap --dev-bind / / -- "$RUN" -c "$SCRIPT"',
  );
});

test("two sockets keep their listeners, and a sandbox without a filter keeps its entry command", () => {
  const [script = ""] = wordsOf(
    shortened(wrapped({ second: "/run/b.sock", last: line("eval", entrance) }), known),
  ).slice(-1);
  expect(script.match(/TCP-LISTEN/g)).toHaveLength(2);
  expect(script.endsWith(`\n${entrance}`)).toBe(true);
});

test.each([
  "bwrap --ro-bind / / -- /bin/sh -c true",
  wrapped({ last: line("/lib/apply-seccomp", "/bin/sh", "-c", "other") }),
  wrapped({}).replace("trap", "on"),
])("a command line of another form is unchanged: %j", (other) => {
  expect(shortened(other, known)).toBe(other);
});
