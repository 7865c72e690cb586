/** The words of a line in the runtime's quoting: bare or in single quotes, with a single quote itself in double quotes. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|"'"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"(')"/g, (_, text?: string, quote?: string) => text ?? quote ?? ""),
  );
}

/** A word, quoted for the shell. */
export function quoted(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** The command of a listener inside the sandbox that forwards a port to a socket. */
const LISTENER = /^(\S+) TCP-LISTEN:(\d+),fork,reuseaddr UNIX-CONNECT:(\S+) >\/dev\/null 2>&1 &$/;

/** What must be known besides the line itself. */
interface Known {
  /** The command to run inside: a shell's `exec` of one program. */
  readonly entrance: string;
  /** The socat that the runtime was given, and the one to use inside. */
  readonly socat: { readonly outside: string; readonly inside: string };
}

/**
 * Shortens the runtime's command line so that it starts fewer programs: one shell inside instead of three, and one listener where
 * two would forward to the same socket. A line of another form stays unchanged.
 */
export function shortened(line: string, { entrance, socat }: Known): string {
  const words = wordsOf(line);
  const [dashes, shell = "", option, script = ""] = words.slice(-4);
  const [inner, innerOption, steps = ""] = wordsOf(script);
  if (dashes !== "--" || option !== "-c" || inner !== shell || innerOption !== "-c") return line;
  const lines = steps.split("\n");
  const listeners = lines.map((step) => LISTENER.exec(step)).filter((found) => found !== null);
  const [trap = "", ...last] = lines.slice(listeners.length);
  const program = programOf(last.join("\n"), shell, entrance);
  const [first, second] = listeners;
  if (!first || !second || !trap.startsWith("trap ") || program === undefined) return line;
  const isShared = first[3] === second[3];
  const started = (isShared ? [first] : listeners).map(
    ([step, name = ""]) =>
      `${name === socat.outside ? quoted(socat.inside) : name}${step.slice(name.length)}`,
  );
  const options = words.slice(0, -4).map((word, at) => {
    const isValue = words[at - 2] === "--setenv";
    return isShared && isValue ? word.replace(`localhost:${second[2]}`, `localhost:${first[2]}`) : word;
  });
  return [...options, "--", shell, "-c", [...started, program].join("\n")].map(quoted).join(" ");
}

/** The last step without the shell that it would start; undefined if it is not of the expected form. */
function programOf(step: string, shell: string, entrance: string): string | undefined {
  const words = wordsOf(step);
  if (words.at(-1) !== entrance) return undefined;
  if (words.length === 2 && words[0] === "eval") return entrance;
  if (words.at(-3) !== shell || words.at(-2) !== "-c" || !entrance.startsWith("exec ")) return undefined;
  return `exec ${words.slice(0, -3).map(quoted).join(" ")} ${entrance.slice("exec ".length)}`;
}
