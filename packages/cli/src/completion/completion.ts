import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { optionsOf } from "../parse.ts";
import { completionWords, WORD_OPTIONS } from "./words.ts";

/** What can follow a command. */
interface Place {
  /** The names of the command, as in `sessions list`; empty for the program itself. */
  readonly path: string;
  readonly subcommands: readonly Command[];
  readonly options: ReturnType<typeof optionsOf>;
  /** Whether its argument is a session. */
  readonly takesSession: boolean;
}

/** Prints a completion script for a program. */
export async function completion(
  program: Command,
  { io, args: [shell = "", kind = ""] }: Call,
): Promise<number> {
  if (shell === "words") {
    const words = await completionWords(kind, io);
    io.stdout.write(words.map((word) => `${word}\n`).join(""));
    return EXIT_CODES.done;
  }
  const write = SHELLS.get(shell);
  if (!write)
    throw new UsageError(`no completion for ${shell}`, `choose one of ${[...SHELLS.keys()].join(", ")}`);
  io.stdout.write(write(placesOf(program)));
  return EXIT_CODES.done;
}

function placesOf(command: Command, above: readonly Command[] = []): readonly Place[] {
  const path = [...above, command];
  const { subcommands = [] } = command;
  const own = {
    path: path
      .slice(1)
      .map(({ name }) => name)
      .join(" "),
    subcommands,
    options: optionsOf(path),
    takesSession: /^\[?SESSION/.test(command.args ?? ""),
  };
  return [own, ...subcommands.flatMap((sub) => placesOf(sub, path))];
}

const wordsOf = ({ subcommands, options }: Place) =>
  [...subcommands.map(({ name }) => name), ...options.map(({ name }) => `--${name}`)].join(" ");

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command names before the cursor select the place; an option with choices offers those. */
function bash(places: readonly Place[]): string {
  return `_agentwire() {
  local cur prev path word i words
  cur="\${COMP_WORDS[COMP_CWORD]}"; prev="\${COMP_WORDS[COMP_CWORD-1]}"; path=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case " ${places.flatMap(({ path }) => (path === "" ? [] : [path.replace(" ", "/")])).join(" ")} " in
      *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;;
    esac
  done
  case "$path $prev" in
${choices(places)
  .map(
    ([where, values]) =>
      `    ${where}) COMPREPLY=($(compgen -W ${quoted(values.join(" "))} -- "$cur")); return ;;`,
  )
  .join("\n")}
  esac
  case "$prev" in
    --cwd|--folder) COMPREPLY=($(compgen -d -- "$cur")); return ;;
${askedOptions(({ names, kind }) => `    ${names.join("|")}) COMPREPLY=($(compgen -W "$(agentwire completion words ${kind} 2>/dev/null)" -- "$cur")); return ;;`)}
  esac
  case "$path" in
${places.map((place) => `    ${quoted(place.path.replace(" ", "/"))}) words=${quoted(wordsOf(place))} ;;`).join("\n")}
  esac
  case "$path" in
    ${sessionPlaces(places)}) case "$cur" in -*) ;; *) words="$words $(agentwire completion words sessions 2>/dev/null)" ;; esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -F _agentwire agentwire
`;
}

/** The variable is not named `path`, which zsh ties to PATH. */
function zsh(places: readonly Place[]): string {
  const described = (place: Place) =>
    [
      ...place.subcommands.map(({ name, summary }) => [name, summary] as const),
      ...place.options.map(({ name, summary }) => [`--${name}`, summary] as const),
    ]
      .map(([name, summary]) => quoted(`${name}:${summary.replaceAll(":", "\\:")}`))
      .join(" ");
  return `#compdef agentwire
_agentwire() {
  local place word; local -a items
  place=""
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    case " ${places.flatMap(({ path }) => (path === "" ? [] : [path.replace(" ", "/")])).join(" ")} " in
      *" \${place:+$place/}$word "*) place="\${place:+$place/}$word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${choices(places)
  .map(([where, values]) => `    ${where}) compadd -- ${values.join(" ")}; return ;;`)
  .join("\n")}
  esac
  case "\${words[CURRENT-1]}" in
    --cwd|--folder) _files -/; return ;;
${askedOptions(({ names, kind }) => `    ${names.join("|")}) compadd -- \${(f)"$(agentwire completion words ${kind} 2>/dev/null)"}; return ;;`)}
  esac
  case "$place" in
    ${sessionPlaces(places)}) [[ "$words[CURRENT]" == -* ]] || compadd -- \${(f)"$(agentwire completion words sessions 2>/dev/null)"} ;;
  esac
  case "$place" in
${places.map((place) => `    ${quoted(place.path.replace(" ", "/"))}) items=(${described(place)}) ;;`).join("\n")}
  esac
  _describe agentwire items || _files
}
compdef _agentwire agentwire
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, subcommands, options, takesSession }) => {
    const names = path.split(" ").filter(Boolean);
    const seen = names.map((name) => `__fish_seen_subcommand_from ${name}`);
    const others = subcommands.map(({ name }) => name).join(" ");
    const here = [...seen, ...(others === "" ? [] : [`not __fish_seen_subcommand_from ${others}`])].join(
      "; and ",
    );
    const condition = here === "" ? "" : ` -n ${quoted(here)}`;
    return [
      ...(takesSession
        ? [`complete -c agentwire -f${condition} -a '(agentwire completion words sessions 2>/dev/null)'`]
        : []),
      ...subcommands.map(
        ({ name, summary }) => `complete -c agentwire -f${condition} -a ${name} -d ${quoted(summary)}`,
      ),
      ...options.map(
        ({ name, short, value, optional, summary, choices: values }) =>
          `complete -c agentwire${condition} -l ${name}${short === undefined ? "" : ` -s ${short}`}${value === undefined || optional ? "" : " -r"}${fishValues(name, values)} -d ${quoted(summary)}`,
      ),
    ];
  });
  return `${[...new Set(lines)].join("\n")}\n`;
}

/** What fish offers after an option. */
function fishValues(name: string, values: readonly string[] | undefined): string {
  const kind = WORD_OPTIONS.get(name);
  if (values) return ` -fa ${quoted(values.join(" "))}`;
  return kind === undefined ? "" : ` -fa '(agentwire completion words ${kind} 2>/dev/null)'`;
}

/** A script line for each option whose values come from the daemon. */
function askedOptions(
  line: (asked: { readonly names: readonly string[]; readonly kind: string }) => string,
): string {
  return [...WORD_OPTIONS].map(([name, kind]) => line({ names: [`--${name}`], kind })).join("\n");
}

/** The commands that take a session, as a pattern. */
const sessionPlaces = (places: readonly Place[]): string =>
  places
    .filter(({ takesSession }) => takesSession)
    .map(({ path }) => quoted(path.replace(" ", "/")))
    .join("|");

/** The choices of each option by command, since an option can mean different things for different commands. */
function choices(places: readonly Place[]): readonly (readonly [string, readonly string[]])[] {
  return places.flatMap(({ path, options }) =>
    options.flatMap(({ name, choices: values }) =>
      values ? [[quoted(`${path.replace(" ", "/")} --${name}`), values] as const] : [],
    ),
  );
}

const SHELLS: ReadonlyMap<string, (places: readonly Place[]) => string> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);
