import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "@agentwire/protocol/support";
import { UsageError } from "../usage-error.ts";
import type { FlagName, Flags } from "./flags.ts";

/** A variable that is a whole number; anything else is as good as none. */
export function wholeNumber(value: string | undefined): number | undefined {
  const parsed = Number(value);
  return value !== undefined && value !== "" && Number.isInteger(parsed) && parsed >= 0 ? parsed : undefined;
}

/** A text that is given as it is, by the file it stands in, or in part by each. */
export function textOf(flags: Flags, name: FlagName, fileName: FlagName, cwd: string): string | undefined {
  const file = flags.text(fileName);
  const given = flags.text(name);
  if (file === undefined || file === "") return given;
  try {
    return [given, readFileSync(resolve(cwd, file), "utf8")].filter(Boolean).join("\n\n");
  } catch (cause) {
    throw new UsageError(`--${fileName} ${file}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

/** The items of a list that is written with commas. */
export const listOf = (text = "") =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
