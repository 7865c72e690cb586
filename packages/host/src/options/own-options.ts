import { HostError } from "../errors.ts";
import { checkDeadlines } from "../link/deadlines.ts";
import type { OwnOptions } from "../sdk/own-options.ts";

const KNOWN: Readonly<Record<keyof OwnOptions, true>> = { deadlines: true, maxLineBytes: true, record: true };

/** Throws for one of our own options that can't be meant. */
export function checkOwnOptions(options: OwnOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(KNOWN, name))
      throw new HostError("unsupported_option", `agentwire.${name} is not an option of this host`);
  }
  checkDeadlines(options.deadlines ?? {});
}
