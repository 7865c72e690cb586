import { type Call, textOption } from "../command.ts";
import { UsageError } from "../errors.ts";

/** The value of `--port`; undefined if not given. */
export function portOption(call: Call): number | undefined {
  const given = textOption(call, "port");
  if (given === undefined) return undefined;
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(`--port takes a number from 0 to 65535, not ${given}`);
}
