import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { diffContracts } from "../drift/diff.ts";
import { printDrift } from "../drift/print-drift.ts";
import { readContract } from "../drift/read-contract.ts";
import { reading, UsageError } from "../options.ts";
import { print } from "../print.ts";
import { DIFF_HELP } from "./help.ts";

const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  json: { type: "boolean", default: false },
} as const;

/** Compares two contracts; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = reading(() =>
    parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS }),
  );
  if (values.help) return print(DIFF_HELP);
  const [before, after, ...more] = positionals;
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError("name two contracts: diff old.json new.json");
  const drift = diffContracts(await contractAt(before), await contractAt(after));
  print(values.json ? `${JSON.stringify(drift, undefined, 2)}\n` : printDrift(drift));
  return drift.changes.length > 0 ? EXIT_CODES.turnFailed : EXIT_CODES.done;
}

function contractAt(file: string) {
  return readContract(resolve(file)).catch((cause: Error) => {
    throw new UsageError(cause.message, { cause });
  });
}
