import { says } from "../scripted-api/script.ts";
import { prompts } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

const REFUSAL = { stopReason: "refusal" };

/** A model that breaks off because it must not say more. */
export const refusals: readonly Scenario[] = [
  {
    name: "refusal",
    about: "a reply that was refused is shown, noted, and followed by one more request",
    steps: [says("No.", REFUSAL), says("Something else.")],
    flow: prompts("a"),
  },
  {
    name: "refusal-twice",
    about: "a second refusal ends the turn with an error; that no other model helps out is said",
    steps: [says("No.", REFUSAL), says("No.", REFUSAL)],
    flow: prompts("a"),
    expect: { exits: [1] },
  },
];
