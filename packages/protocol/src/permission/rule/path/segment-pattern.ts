/** The names of an absolute path from the root down, without `.`, `..` and doubled slashes. */
export function toSegments(absolute: string): string[] {
  const names: string[] = [];
  for (const name of absolute.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

/** Stands for a file of any name: only `*` and `**` match it. */
export const ANY_NAME = "\0";

type Token =
  | { readonly type: "char"; readonly char: string }
  | { readonly type: "one" }
  | { readonly type: "many" }
  | {
      readonly type: "set";
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** Parses one segment of a gitignore-style pattern: `*`, `?`, `[a-z]`, `[!a-z]` and `\` before a literal character. */
export function parseSegment(text: string): readonly Token[] {
  const chars = Array.from(text);
  const tokens: Token[] = [];
  // If one set isn't closed, no later one is; searching again each time would be quadratic.
  let maySet = true;
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    const set = char === "[" && maySet ? parseSet(chars, at) : undefined;
    if (set) {
      tokens.push(set.token);
      at = set.end;
    } else if (char === "[") {
      maySet = false;
      tokens.push({ type: "char", char });
    } else if (char === "*") tokens.push({ type: "many" });
    else if (char === "?") tokens.push({ type: "one" });
    else if (char === "\\") tokens.push({ type: "char", char: chars[++at] ?? "\\" });
    else tokens.push({ type: "char", char });
  }
  return tokens;
}

/** Whether a name matches the tokens; it backtracks at most once per character, and never further. */
export function matchesSegment(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const current = tokens[token];
    if (current?.type === "many") {
      star = token++;
      starAt = at;
    } else if (current && matchesChar(current, name[at] ?? "")) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  return tokens.slice(token).every(({ type }) => type === "many");
}

function matchesChar(token: Token, char: string): boolean {
  if (char === ANY_NAME || token.type === "many") return false;
  if (token.type === "one") return true;
  if (token.type === "char") return token.char === char;
  return token.negated !== token.ranges.some(([low, high]) => low <= char && char <= high);
}

function parseSet(chars: readonly string[], open: number): { token: Token; end: number } | undefined {
  const negated = chars[open + 1] === "!" || chars[open + 1] === "^";
  const first = open + (negated ? 2 : 1);
  const ranges: [string, string][] = [];
  for (let at = first; at < chars.length; at += 1) {
    if (chars[at] === "]" && at > first) return { token: { type: "set", negated, ranges }, end: at };
    if (chars[at] === "\\") at += 1;
    const low = chars[at] ?? "";
    const isRange = chars[at + 1] === "-" && chars[at + 2] !== undefined && chars[at + 2] !== "]";
    if (isRange) at += 2;
    ranges.push([low, isRange ? (chars[at] ?? low) : low]);
  }
  return undefined;
}
