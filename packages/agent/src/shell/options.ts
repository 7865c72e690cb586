/**
 * The options with which a program is known to be harmless. Any other option is refused, even if it may be harmless too: programs
 * get new options that this list does not know.
 */
export interface OptionList {
  /** The letters of options without a value. */
  readonly flags?: string;
  /** The letters of options whose value is the rest of the word, or else the next word. */
  readonly valued?: string;
  /** The letters of options whose value, if any, is the rest of the word. */
  readonly attached?: string;
  /**
   * Long options without their dashes: `name`, `name=` with a value after it or in the next word, `name[=]` with an optional
   * value.
   */
  readonly long?: string;
  /** Whether a number may be an option, as in `head -5`. */
  readonly numbers?: true;
}

/** The parsed arguments of a program. */
export interface ReadOptions {
  readonly operands: readonly string[];
  /** The operands after `--`. */
  readonly afterDashes: readonly string[];
  /** Letters and names of the options that were given. */
  readonly given: ReadonlySet<string>;
  readonly values: readonly string[];
}

type ValueKind = "none" | "needed" | "optional";

const known = new WeakMap<OptionList, ReadonlyMap<string, ValueKind>>();

/** Parses the arguments of a program; undefined if one of them is an option that is not on the list. */
export function readOptions(args: readonly string[], list: OptionList): ReadOptions | undefined {
  const operands: string[] = [];
  const given = new Set<string>();
  const values: string[] = [];
  let afterDashes: readonly string[] = [];
  let at = 0;
  const nextValue = () => {
    const value = args[++at];
    if (value !== undefined) values.push(value);
    return value !== undefined;
  };
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      afterDashes = args.slice(at + 1);
      break;
    }
    if (arg === "-" || !arg.startsWith("-")) operands.push(arg);
    else if (arg.startsWith("--")) {
      if (!takeLong(arg.slice(2), longOptions(list), given, values, nextValue)) return undefined;
    } else if (!(list.numbers && /^-\d+$/.test(arg)) && !takeShort(arg, list, given, values, nextValue))
      return undefined;
  }
  return { operands: [...operands, ...afterDashes], afterDashes, given, values };
}

function takeLong(
  text: string,
  options: ReadonlyMap<string, ValueKind>,
  given: Set<string>,
  values: string[],
  nextValue: () => boolean,
): boolean {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const kind = options.get(name);
  if (kind === undefined || (kind === "none" && equals >= 0)) return false;
  given.add(name);
  if (equals >= 0) values.push(text.slice(equals + 1));
  return equals >= 0 || kind !== "needed" || nextValue();
}

function takeShort(
  arg: string,
  { flags = "", valued = "", attached = "" }: OptionList,
  given: Set<string>,
  values: string[],
  nextValue: () => boolean,
): boolean {
  for (let at = 1; at < arg.length; at++) {
    const letter = arg.charAt(at);
    const rest = arg.slice(at + 1);
    const isKnown = flags.includes(letter) || valued.includes(letter) || attached.includes(letter);
    if (!isKnown) return false;
    given.add(letter);
    if (flags.includes(letter)) continue;
    if (rest !== "") values.push(rest);
    return rest !== "" || attached.includes(letter) || nextValue();
  }
  return true;
}

function longOptions(list: OptionList): ReadonlyMap<string, ValueKind> {
  const before = known.get(list);
  if (before) return before;
  const names = (list.long ?? "").split(/\s+/).filter((name) => name !== "");
  const options = new Map(
    names.map((name): [string, ValueKind] => {
      if (name.endsWith("[=]")) return [name.slice(0, -3), "optional"];
      return name.endsWith("=") ? [name.slice(0, -1), "needed"] : [name, "none"];
    }),
  );
  known.set(list, options);
  return options;
}
