import type { JsonObject } from "@agentwire/protocol";
import { isSet, optionalCount, optionalText, textField } from "../input-fields.ts";
import type { GrepMode } from "./report.ts";

/** Left out of searches, unless one of them is named as the path. */
const LEFT_OUT = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];
const MAX_LINE_CHARACTERS = 500;

/** What a call asks to see. */
export function modeOf(input: JsonObject): GrepMode {
  const mode = optionalText(input, "output_mode");
  return mode === "content" || mode === "count" ? mode : "files_with_matches";
}

/**
 * The arguments of ripgrep for a call of Grep. File names end with a zero byte, so that they can't be mistaken for anything else.
 */
export function searchArguments(input: JsonObject): readonly string[] {
  const mode = modeOf(input);
  const type = optionalText(input, "type");
  return [
    "--hidden",
    "--null",
    "--with-filename",
    "--color=never",
    "--no-heading",
    `--max-columns=${MAX_LINE_CHARACTERS}`,
    ...LEFT_OUT.map((name) => `--glob=!${name}`),
    ...(isSet(input, "multiline") ? ["--multiline", "--multiline-dotall"] : []),
    ...(isSet(input, "-i") ? ["--ignore-case"] : []),
    ...(mode === "files_with_matches" ? ["--files-with-matches"] : []),
    ...(mode === "count" ? ["--count"] : []),
    ...(mode === "content" ? contentArguments(input) : []),
    ...(type === undefined ? [] : [`--type=${type}`]),
    ...globsOf(optionalText(input, "glob") ?? "").map((glob) => `--glob=${glob}`),
    `--regexp=${textField(input, "pattern")}`,
  ];
}

function contentArguments(input: JsonObject): readonly string[] {
  const around = optionalCount(input, "-C") ?? optionalCount(input, "context");
  const count = (name: string) => around ?? optionalCount(input, name) ?? 0;
  return [
    "--line-number",
    ...(isSet(input, "-o") ? ["--only-matching"] : []),
    `--before-context=${count("-B")}`,
    `--after-context=${count("-A")}`,
  ];
}

/** Patterns are separated by spaces, or by commas that are not part of a pattern. */
function globsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .flatMap((glob) => (glob.includes("{") ? [glob] : glob.split(",")))
    .filter(Boolean);
}
