import { EXIT_CODES } from "@agentwire/protocol/support";
import { main as acpAgent } from "./commands/acp-agent.ts";
import { main as acpClient } from "./commands/acp-client.ts";
import { main as agent } from "./commands/agent.ts";
import { main as coverage } from "./commands/coverage.ts";
import { main as diff } from "./commands/diff.ts";
import { main as host } from "./commands/host.ts";
import { main as record } from "./commands/record.ts";
import { main as tools } from "./commands/tools.ts";
import { UsageError } from "./options.ts";

const HELP = `agentwire-conformance agent|host|acp-agent|acp-client|tools|record|diff|coverage …

Measures how much of the protocol a program supports, and lists what changed between two versions of it.

  agent       scores an agent against recordings of the official agent
  host        scores a program that drives agents, with scripted agents
  acp-agent   scores an agent of the Agent Client Protocol, with a scripted client
  acp-client  scores a client of the Agent Client Protocol, with scripted agents
  tools       compares the results of an agent's tools with those of the official agent
  record      writes an agent's contract: its messages, their fields and their order
  diff        compares two contracts
  coverage    lists every request, message and hook event of the protocol with the scenarios that exercise it

Each command has its own --help.

Examples:
  agentwire-conformance agent --jobs 2 --fast -- agentwire-agent
  agentwire-conformance host -- node ./my-host.js
  agentwire-conformance record --fast -- claude > claude.json
  agentwire-conformance diff old.json new.json
`;

type Command = (argv: readonly string[]) => Promise<number>;

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["agent", agent],
  ["host", host],
  ["acp-agent", acpAgent],
  ["acp-client", acpClient],
  ["tools", tools],
  ["record", record],
  ["diff", diff],
  ["coverage", coverage],
]);

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  process.stdout.once("error", leave);
  const [name = "", ...rest] = argv;
  try {
    const command = COMMANDS.get(name);
    if (command) return await command(rest);
    if (name !== "--help" && name !== "-h") {
      const problem = name === "" ? "no command given" : `unknown command ${JSON.stringify(name)}`;
      throw new UsageError(`${problem}; choose one of ${[...COMMANDS.keys()].join(", ")}; see --help`);
    }
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`agentwire-conformance: ${error.message}\n`);
    return EXIT_CODES.badUsage;
  }
}

/** Exits because the output can't be written: its reader has gone, as with `head`, or the disk is full. */
function leave({ code, message }: NodeJS.ErrnoException): never {
  if (code === "EPIPE") process.exit(EXIT_CODES.done);
  process.stderr.write(`agentwire-conformance: can't write the output: ${message}\n`);
  process.exit(EXIT_CODES.turnFailed);
}
