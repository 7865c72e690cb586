import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "@agentwire/protocol/support";
import { UsageError } from "../usage-error.ts";
import type { FlagName, Flags } from "./flags.ts";

/** The value of a variable if it is a whole number, otherwise undefined. */
export function wholeNumber(value: string | undefined): number | undefined {
  const parsed = Number(value);
  return value !== undefined && value !== "" && Number.isInteger(parsed) && parsed >= 0 ? parsed : undefined;
}

/** The text of a flag, of the file named by another flag, or both joined. */
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

/** The items of a comma-separated list. */
export const listOf = (text = "") =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
