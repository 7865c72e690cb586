import type { Command } from "../command.ts";

export const DOCTOR: Command = {
  name: "doctor",
  summary: "looks for agents and for whatever may be wrong, and says what to do",
  details: "Exit: 0 all is well or nearly so, 1 there is a problem.",
  examples: ["agentwire doctor", "agentwire doctor --json | jq '.findings[] | select(.level != \"ok\")'"],
  run: async (call) => (await import("../doctor/doctor.ts")).doctor(call),
};
