import type { Command } from "../command.ts";

export const CONFORMANCE: Command = {
  name: "conformance",
  summary: "scores an agent against recordings of the official one",
  args: "[OPTIONS] [SCENARIO…] -- COMMAND…",
  passesOn: true,
  details: "Everything behind the name is passed on to agentwire-conformance, --help too.",
  examples: ["agentwire conformance --fast -- agentwire-agent", "agentwire conformance --list"],
  run: async ({ args }) => (await import("@agentwire/conformance")).scoreAgent(args),
};
