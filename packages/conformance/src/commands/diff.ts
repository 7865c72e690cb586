import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { CHANGING, type Change, type Drift, diffContracts, type Side } from "../drift/diff.ts";
import { knownContract, knownVersions } from "../drift/known-contracts.ts";
import { readContract } from "../drift/read-contract.ts";
import { reading, UsageError } from "../options.ts";
import { print } from "../print.ts";

const HELP = `agentwire-conformance diff [--json] <old> <new>

Lists what was added (+), removed (-) and changed (~) between two versions of an agent, and how that affects agentwire's dialects and
schemas. Each argument is a contract written by the record command, or one of the known versions: ${knownVersions().join(", ")}.

Exit codes: 0 the contracts are equal, 1 they differ, 2 usage error.

Example:
  agentwire-conformance diff ${knownVersions().at(-1)} new.json
`;

const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  json: { type: "boolean", default: false },
} as const;

/** Compares two contracts; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = reading(() =>
    parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS }),
  );
  if (values.help) return print(HELP);
  const [before, after, ...more] = positionals;
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError("give two contracts or known versions: diff old.json new.json");
  const drift = diffContracts(await contractAt(before), await contractAt(after));
  print(values.json ? `${JSON.stringify(drift, undefined, 2)}\n` : printDrift(drift));
  return drift.changes.length > 0 ? EXIT_CODES.turnFailed : EXIT_CODES.done;
}

function contractAt(file: string) {
  return readContract(knownContract(file) ?? resolve(file)).catch((cause: Error) => {
    throw new UsageError(cause.message, { cause });
  });
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

/** Describes the differences between two versions for people. */
export function printDrift(drift: Drift): string {
  const sections = CHANGING.map((what) => drift.changes.filter((change) => change.what === what)).filter(
    (changes) => changes.length > 0,
  );
  return [
    `${drift.before.agent} → ${drift.after.agent}\n`,
    ...sections.map((changes) => `\n${titleOf(changes)}\n${changes.map(printChange).join("")}`),
    `\nour side\n${printSide(drift.before)}${printSide(drift.after)}`,
  ].join("");
}

const titleOf = ([first]: readonly Change[]) =>
  first?.what === "capability" ? "capabilities" : `${first?.what}s`;

function printChange({ how, name, before, after, schema }: Change): string {
  const values = [before, after].filter((value) => value !== undefined).join(" → ");
  return `  ${SIGNS[how]} ${name}${values && `: ${values}`}${schema === undefined ? "" : ` (${schema})`}\n`;
}

function printSide({ agent, dialect, tested, unnamed }: Side): string {
  const names = unnamed.map((name) => `    ${name}\n`).join("");
  const passedOn = unnamed.length === 0 ? "our schemas name everything" : "not named by our schemas:";
  return `  ${agent}: dialect ${dialect}${tested ? "" : ", not tested with it"}; ${passedOn}\n${names}`;
}
