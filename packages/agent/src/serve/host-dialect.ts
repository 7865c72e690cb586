import { DIALECTS, type Dialect, detected, dialectByName, dialectFromFlags } from "@agentwire/protocol";
import type { Flags } from "../flags.ts";
import { UsageError } from "../usage-error.ts";

/** Flags that only hosts of one dialect pass. */
const TELLING = ["stdio", "cwd"] as const;

/** How the host spells the wire: as the command line says, else as its flags tell, else as its first telling line does. */
export function hostDialect(flags: Flags): Pick<Dialect, "forAgent"> {
  const name = flags.text("dialect");
  if (name === undefined)
    return dialectFromFlags(TELLING.filter(flags.has).map((flag) => `--${flag}`)) ?? detected;
  const dialect = dialectByName(name);
  if (!dialect) throw new UsageError(`--dialect ${name}: choose one of ${Object.keys(DIALECTS).join(", ")}`);
  return dialect;
}
