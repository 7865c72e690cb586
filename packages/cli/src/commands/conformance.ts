import type { Command } from "../command.ts";

export const CONFORMANCE: Command = {
  name: "conformance",
  summary: "scores agents and hosts, records what an agent does, and compares versions",
  args: "agent|host|acp-agent|acp-client|tools|record|diff|coverage [OPTIONS] … -- COMMAND…",
  passesOn: true,
  details: "All arguments are passed on to agentwire-conformance; each subcommand has its own --help.",
  examples: ["agentwire conformance agent --fast -- agentwire-agent", "agentwire conformance agent --list"],
  run: async ({ args }) => (await import("@agentwire/conformance/programs")).conformance(args),
};
