import type { Command } from "../command.ts";

export const CONFORMANCE: Command = {
  name: "conformance",
  summary: "scores agents and hosts, records what an agent does, and compares versions",
  args: "agent|host|record|diff|coverage [OPTIONS] … -- COMMAND…",
  passesOn: true,
  details: "Everything after the name is passed on; each subcommand has its own --help.",
  examples: ["agentwire conformance agent --fast -- agentwire-agent", "agentwire conformance agent --list"],
  run: async ({ args }) => (await import("@agentwire/conformance/programs")).conformance(args),
};
