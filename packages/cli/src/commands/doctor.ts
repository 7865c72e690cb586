import type { Command } from "../command.ts";

export const DOCTOR: Command = {
  name: "doctor",
  summary: "finds agents, checks for problems, and says how to fix them",
  details: "Exit: 0 no problems (there may be warnings), 1 at least one problem.",
  examples: ["agentwire doctor", "agentwire doctor --json | jq '.findings[] | select(.level != \"ok\")'"],
  run: async (call) => (await import("../doctor/doctor.ts")).doctor(call),
};
