import {
  DIALECTS,
  type Dialect,
  detecting,
  dialectByName,
  dialectFromFlags,
} from "@agentwire/protocol/dialect";
import type { Config } from "../config/config.ts";
import { UsageError } from "../usage-error.ts";

/**
 * The host's dialect: the one named on the command line, otherwise the one implied by its flags, otherwise the one detected from
 * its lines. Calls `onKnown` once it is determined.
 */
export function hostDialect(config: Config, onKnown: (dialect: Dialect) => void): Pick<Dialect, "forAgent"> {
  const dialect = namedDialect(config) ?? dialectFromFlags(config.dialectFlags);
  if (!dialect) return detecting(onKnown);
  onKnown(dialect);
  return dialect;
}

function namedDialect({ dialect: name }: Config): Dialect | undefined {
  if (name === undefined) return undefined;
  const dialect = dialectByName(name);
  if (!dialect) throw new UsageError(`--dialect ${name}: choose one of ${Object.keys(DIALECTS).join(", ")}`);
  return dialect;
}
