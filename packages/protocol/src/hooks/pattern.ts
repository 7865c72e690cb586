const MAX_LENGTH = 1000;

/** A regular expression that is safe to test against what a model says, or why it is not. */
export type Pattern = { readonly regex: RegExp } | { readonly problem: string };

/**
 * Compiles a regular expression from outside. Refuses the form that takes exponential time to match, a
 * repeated group that contains a repeat or a choice; for all other forms the names to match are short enough.
 */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_LENGTH) return { problem: `is longer than ${MAX_LENGTH} characters` };
  try {
    const regex = new RegExp(source);
    return hasNestedRepeat(source)
      ? { problem: "repeats a group that contains a repeat or a choice" }
      : { regex };
  } catch {
    return { problem: "is not a regular expression" };
  }
}

function hasNestedRepeat(source: string): boolean {
  // The open groups, outermost first, and whether each contains a repeat or a choice so far.
  const open = [false];
  for (let at = 0; at < source.length; at++) {
    switch (source[at]) {
      case "\\":
        at++;
        break;
      case "[":
        at = endOfClass(source, at);
        break;
      case "(":
        open.push(false);
        // The question mark of `(?:` and similar is not a repeat.
        if (source[at + 1] === "?") at++;
        break;
      case ")": {
        const isVariable = open.pop() ?? false;
        if (isVariable && "*+{".includes(source[at + 1] ?? " ")) return true;
        if (isVariable) open[open.length - 1] = true;
        break;
      }
      case "*":
      case "+":
      case "?":
      case "{":
      case "|":
        open[open.length - 1] = true;
        break;
    }
  }
  return false;
}

function endOfClass(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== "]") at += source[at] === "\\" ? 2 : 1;
  return at;
}
