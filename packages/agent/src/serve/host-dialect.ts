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
 * How the host spells the wire: as the command line says, else as its flags tell, else as its first telling line does. Calls
 * `onKnown` when that is known.
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
