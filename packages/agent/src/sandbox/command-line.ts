/** The words of a line as the runtime quotes them: bare, or in single quotes, with a quote itself in double ones. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|"'"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"(')"/g, (_, text?: string, quote?: string) => text ?? quote ?? ""),
  );
}

/** A word as a shell reads it back. */
export function quoted(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** What a listener inside connects a port with. */
const LISTENER = /^(\S+) TCP-LISTEN:(\d+),fork,reuseaddr UNIX-CONNECT:(\S+) >\/dev\/null 2>&1 &$/;

/** What is known beside the line itself. */
interface Known {
  /** What runs inside, a shell's `exec` of one program. */
  readonly entrance: string;
  /** The socat that the runtime was given, and the one that is to run inside. */
  readonly socat: { readonly outside: string; readonly inside: string };
}

/**
 * The runtime's command line with fewer programs to start: one shell inside instead of three, and one listener where two would lead
 * to the same socket. A line of another form stays as it is.
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

/** The last step without the shell that it would start; undefined if it is another. */
function programOf(step: string, shell: string, entrance: string): string | undefined {
  const words = wordsOf(step);
  if (words.at(-1) !== entrance) return undefined;
  if (words.length === 2 && words[0] === "eval") return entrance;
  if (words.at(-3) !== shell || words.at(-2) !== "-c" || !entrance.startsWith("exec ")) return undefined;
  return `exec ${words.slice(0, -3).map(quoted).join(" ")} ${entrance.slice("exec ".length)}`;
}
