import type { Command } from "../command.ts";

export const CONFORMANCE: Command = {
  name: "conformance",
  summary: "scores an agent against recordings of the official one",
  args: "[OPTIONS] [SCENARIO…] -- COMMAND…",
  passesOn: true,
  details:
    "Everything behind the name is passed on: agentwire-conformance --help, or agentwire conformance -- --help, tells it all.",
  examples: ["agentwire conformance --fast -- agentwire-agent", "agentwire conformance --list"],
  run: async ({ args }) => (await import("@agentwire/conformance")).scoreAgent(args),
};
