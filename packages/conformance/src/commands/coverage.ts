import { parseArgs } from "node:util";
import { printCoverage, protocolCoverage } from "../coverage/coverage.ts";
import { reading } from "../options.ts";
import { print } from "../print.ts";

const HELP = `agentwire-conformance coverage [--json]

Lists every request, message and hook event of the protocol with the scenarios that exercise it, or the reason why
there are none.

Exit codes: 0 success, 2 usage error.

Example:
  agentwire-conformance coverage --json > coverage.json
`;

const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  json: { type: "boolean", default: false },
} as const;

/** Lists what the scenarios exercise; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values } = reading(() => parseArgs({ args: [...argv], options: OPTIONS }));
  if (values.help) return print(HELP);
  const covered = await protocolCoverage();
  return print(values.json ? `${JSON.stringify(covered, undefined, 2)}\n` : printCoverage(covered));
}
