import { mapTexts } from "../json-path.ts";
import { type Script, type Step, says } from "./script.ts";

/** How a request is seen: part of the agent's loop, a probe for a model, or anything else it asks a model for. */
export type RequestKind = "turn" | "probe" | "side";

/** Plays a script: says what each request gets. */
export interface Player {
  next(kind: RequestKind): Step;
  /** How many steps were not requested. */
  left(): number;
}

/** Starts a script at its first step. */
export function play(script: Script, variables: ReadonlyMap<string, string>): Player {
  let position = 0;
  let served = 0;

  const nextStep = (): Step => {
    const step = script.steps[position];
    if (step === undefined) return script.afterwards ?? says("The script has no more steps.");
    served++;
    if (served >= (step.repeat ?? 1)) {
      position++;
      served = 0;
    }
    return step;
  };

  return {
    next(kind) {
      if (kind === "probe") return script.probe ?? says(".", SMALL);
      if (kind === "side") return says('{"title":"A scripted title"}', SMALL);
      return fill(nextStep(), variables);
    },
    left: () => script.steps.length - position,
  };
}

const SMALL = { usage: { input_tokens: 1, output_tokens: 1 } };

function fill(step: Step, variables: ReadonlyMap<string, string>): Step {
  const replace = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
  return mapTexts(step, replace) as Step;
}
