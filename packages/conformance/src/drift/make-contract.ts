import { at, listAt, textAt } from "../json-path.ts";
import type { Transcript } from "../transcript.ts";
import type { Contract, RequestResult } from "./contract.ts";
import { FieldCollector } from "./fields.ts";
import { kindsIn } from "./kinds.ts";
import { orderingsIn } from "./orderings.ts";

/** What an agent reports about itself outside the wire. */
export interface AgentFacts {
  readonly agent: string;
  readonly flags: readonly string[];
  readonly asksHost: boolean;
}

/** Creates the contract of an agent from the transcripts of the scenarios. */
export function makeContract(facts: AgentFacts, transcripts: ReadonlyMap<string, Transcript>): Contract {
  const all = [...transcripts.values()];
  const lines = all.flat();
  const inits = lines.filter(({ line }) => at(line, "subtype") === "init").map(({ line }) => line);
  const silent = [...transcripts].filter(([, transcript]) => isSilent(transcript)).map(([name]) => name);
  return {
    ...facts,
    capabilities: namesIn(inits, "capabilities"),
    // Tools of MCP servers come from the scenarios.
    tools: namesIn(inits, "tools").filter((name) => !name.startsWith("mcp__")),
    requests: requestsIn(all),
    messages: messagesIn(all),
    orderings: orderingsIn(all),
    silentIn: silent.sort(),
  };
}

/** An agent need not react to a silent host. */
function isSilent(transcript: Transcript): boolean {
  const isSpokenTo = transcript.some(({ dir, eof }) => dir === "in" && eof === undefined);
  return isSpokenTo && !transcript.some(({ dir }) => dir === "out");
}

function namesIn(inits: readonly unknown[], key: string): readonly string[] {
  const names = inits.flatMap((init) =>
    listAt(init, key).flatMap((one) => (typeof one === "string" ? one : (textAt(one, "name") ?? []))),
  );
  return [...new Set(names)].sort();
}

function messagesIn(transcripts: readonly Transcript[]): Contract["messages"] {
  const collectors = new Map<string, FieldCollector>();
  for (const transcript of transcripts)
    for (const { kind, value } of kindsIn(transcript)) {
      const collector = collectors.get(kind) ?? new FieldCollector();
      collectors.set(kind, collector);
      collector.add(value);
    }
  return sorted([...collectors].map(([kind, collector]) => [kind, collector.facts()] as const));
}

function requestsIn(transcripts: readonly Transcript[]): Contract["requests"] {
  const fates = new Map<string, Set<string>>();
  for (const transcript of transcripts) {
    const answers = new Map(
      transcript.flatMap(({ dir, line }) =>
        dir === "out" && at(line, "type") === "control_response"
          ? [[textAt(line, "response", "request_id"), textAt(line, "response", "subtype") ?? ""] as const]
          : [],
      ),
    );
    for (const { dir, line } of transcript) {
      const subtype = textAt(line, "request", "subtype");
      if (dir !== "in" || subtype === undefined) continue;
      const answer = answers.get(textAt(line, "request_id")) ?? "no answer";
      fates.set(subtype, (fates.get(subtype) ?? new Set()).add(answer));
    }
  }
  return sorted([...fates].map(([subtype, answers]) => [subtype, fateOf(answers)] as const));
}

function fateOf(answers: ReadonlySet<string>): RequestResult {
  const [success, error] = [answers.has("success"), answers.has("error")];
  if (success && error) return "success or error";
  if (success) return "success";
  return error ? "error" : "no answer";
}

function sorted<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Prints a contract in its stored form. */
export function printContract(contract: Contract): string {
  return `${JSON.stringify(contract, undefined, 2)}\n`;
}
