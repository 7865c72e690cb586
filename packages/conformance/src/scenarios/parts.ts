import { fits } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import type { AgentDriver } from "../agent-driver/driver.ts";
import type { Reaction } from "../agent-driver/reactions.ts";
import { at } from "../json-path.ts";
import { calls } from "../scripted-api/script.ts";
import type { Stage } from "./scenario.ts";

/** The flags of a session in which every tool may run without a question. */
export const BYPASS = ["--permission-mode", "bypassPermissions"];

/** The flag that makes the agent forward the events of the API's stream. */
export const PARTIAL = ["--include-partial-messages"];

/** The line that starts a turn. */
export const INIT = { type: "system", subtype: "init" };

/** The question of whether a tool may run. */
export const QUESTION = { type: "control_request", request: { subtype: "can_use_tool" } };

/** Allows a questioned tool call with its own input. */
export function allow(agent: AgentDriver, question: JsonObject, more: JsonObject = {}): void {
  agent.answer(question, { behavior: "allow", updatedInput: at(question, "request", "input"), ...more });
}

/** Allows every tool call from now on. */
export function allowEverything(agent: AgentDriver): Reaction {
  return agent.on(QUESTION, (question) => allow(agent, question));
}

/** A flow of prompts, each sent after the result of the previous one. */
export function prompts(...texts: readonly string[]) {
  return async ({ agent }: Stage): Promise<undefined> => {
    for (const text of texts) await agent.turn(text);
  };
}

/** Whether the agent wrote a matching line: for lines that agents may omit in general, but not in a scenario about them. */
export function wrote(agent: AgentDriver, pattern: JsonObject): boolean {
  return agent.lines.some((line) => fits(pattern, line));
}

/** A call of the model that creates an empty file. */
export function touch(file: string, id: string, description = "Create a file") {
  return calls("Bash", { command: `touch ${file}`, description }, id);
}
