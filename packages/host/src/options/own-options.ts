import { parseVersion } from "@agentwire/protocol/compatibility";
import { checkDeadlines } from "../link/deadlines.ts";
import type { OwnOptions } from "../sdk/own-options.ts";
import { givenOptions, type Kind, OBJECT, TEXT } from "./kinds.ts";

/** How long a line may be. */
export const LENGTH: Kind = {
  name: "a number of bytes",
  holds: (value) => typeof value === "number" && value > 0,
};

const VERSION: Kind = {
  name: "a version, e.g. 2.1.325",
  holds: (value) => typeof value === "string" && parseVersion(value) !== undefined,
};

const KINDS: Readonly<Record<keyof OwnOptions, Kind>> = {
  assumeVersion: VERSION,
  deadlines: OBJECT,
  maxLineBytes: LENGTH,
  record: TEXT,
};

/** Our own options of a query; throws for one that can't be meant. */
export function checkedOwnOptions(all: OwnOptions): OwnOptions {
  const options = givenOptions(all, KINDS, "agentwire");
  checkDeadlines(options.deadlines ?? {});
  return options;
}
