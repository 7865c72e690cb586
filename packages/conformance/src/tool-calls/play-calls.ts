import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { pathReplacer } from "../compare/paths.ts";
import { listAt, textAt } from "../json-path.ts";
import { type RunOptions, runScenario } from "../run-scenario.ts";
import { BYPASS } from "../scenarios/parts.ts";
import type { Stage } from "../scenarios/scenario.ts";
import { calls, says } from "../scripted-api/script.ts";
import { type CallGroup, nameOf } from "./call-group.ts";
import { layOut } from "./lay-out.ts";

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\/\S*\/(?:tasks|tool-results)\/\w+\.(?:txt|output)/g, "<file>"],
  [/(?<=ID: )b[0-9a-z]{8}\b/g, "<id>"],
  [/(?<=Inserted cell )[0-9a-f]{8}\b/g, "<id>"],
  [/\ba[0-9a-f]{8,16}\b/g, "<agent>"],
  [/(?<=duration_ms: )\d+/g, "<ms>"],
];
const LONGEST = 3000;
const SHOWN = { head: 1200, tail: 300 };

/** Masks the parts of a result that differ between runs, and replaces the middle of a long one with its digest. */
function steadyText(text: string, anyOrder = false): string {
  const masked = MASKS.reduce((masked, [pattern, name]) => masked.replace(pattern, name), text);
  const ordered = anyOrder ? masked.split("\n").sort().join("\n") : masked;
  if (ordered.length <= LONGEST) return ordered;
  const digest = createHash("sha256").update(ordered).digest("hex").slice(0, 16);
  const middle = `… ${ordered.length} characters, sha256 ${digest} …`;
  return [ordered.slice(0, SHOWN.head), middle, ordered.slice(-SHOWN.tail)].join("\n");
}

/** The result of a call, as the model gets it. */
export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Plays the calls of a group with an agent; returns the results by name. A call without a result is missing. */
export async function playCalls(
  group: CallGroup,
  options: RunOptions,
): Promise<ReadonlyMap<string, CallResult>> {
  const steps = group.calls.flatMap(({ tool, input, between = [] }, index) => [
    calls(tool, input, idOf(index)),
    ...between,
  ]);
  const run = await runScenario(
    {
      name: group.name,
      about: "tool calls",
      args: [...BYPASS, ...(group.args ?? [])],
      env: { ...ENVIRONMENT, ...group.env },
      prepare: async ({ cwd, home }) => {
        await layOut(cwd, group.project);
        await layOut(home, group.home ?? []);
      },
      steps: [...steps, says("Done.")],
      flow: async ({ agent }) => {
        agent.prompt("make the calls");
        await agent.result({ withinMs: options.limitMs });
        return resultsOf(agent);
      },
    },
    options,
  );
  if (run.failure !== undefined) throw new Error(`${group.name}: ${run.failure}\n${run.stderr}`);
  const named = pathReplacer(run.folders);
  return new Map(
    group.calls.flatMap((call, index) => {
      const result = run.facts[idOf(index)];
      if (!isJsonObject(result)) return [];
      const text = steadyText(named(textOf(result.content)), call.anyOrder);
      return [[nameOf(call), { text, isError: result.is_error === true }] as const];
    }),
  );
}

/** SHLVL: a bash that assumes a network login would read the user's profile. */
const ENVIRONMENT = { SHELL: "/bin/bash", SHLVL: "1", LANG: "C.UTF-8" };

const idOf = (index: number) => `toolu_${index}`;

function resultsOf({ lines }: Stage["agent"]): JsonObject {
  const blocks = lines
    .filter(({ type, parent_tool_use_id }) => type === "user" && (parent_tool_use_id ?? null) === null)
    .flatMap((line) => listAt(line, "message", "content"))
    .filter((block) => textAt(block, "type") === "tool_result");
  return Object.fromEntries(blocks.map((block) => [textAt(block, "tool_use_id") ?? "", block]));
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => textAt(block, "text") ?? `[${textAt(block, "type")}]`).join("\n");
}
