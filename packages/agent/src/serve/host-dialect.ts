import {
  DIALECTS,
  type Dialect,
  detecting,
  dialectByName,
  dialectFromFlags,
} from "@agentwire/protocol/dialect";
import type { Flags } from "../config/flags.ts";
import { UsageError } from "../usage-error.ts";

/** Flags that only hosts of one dialect pass. */
const TELLING = ["stdio", "cwd"] as const;

/**
 * How the host spells the wire: as the command line says, else as its flags tell, else as its first telling line does. Calls
 * `onKnown` when that is known.
 */
export function hostDialect(flags: Flags, onKnown: (dialect: Dialect) => void): Pick<Dialect, "forAgent"> {
  const dialect =
    namedDialect(flags) ?? dialectFromFlags(TELLING.filter(flags.has).map((flag) => `--${flag}`));
  if (!dialect) return detecting(onKnown);
  onKnown(dialect);
  return dialect;
}

function namedDialect(flags: Flags): Dialect | undefined {
  const name = flags.text("dialect");
  if (name === undefined) return undefined;
  const dialect = dialectByName(name);
  if (!dialect) throw new UsageError(`--dialect ${name}: choose one of ${Object.keys(DIALECTS).join(", ")}`);
  return dialect;
}
