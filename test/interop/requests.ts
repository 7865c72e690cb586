import type { Bench } from "./bench.ts";

/** The system prompt of a request as one text. */
export function systemText(bench: Bench, index = 0): string {
  const system = bench.api.requests[index]?.body.system;
  return Array.isArray(system) ? system.map(({ text }) => text).join("\n") : String(system ?? "");
}

/** The messages of a request as JSON text, to search for words in. */
export function sentMessages(bench: Bench, index: number): string {
  return JSON.stringify(bench.api.requests[index]?.body.messages);
}

/** The names of the tools offered in a request. */
export function offeredTools(bench: Bench, index = 0): readonly string[] {
  const tools = bench.api.requests[index]?.body.tools;
  return Array.isArray(tools) ? tools.map(({ name }) => name) : [];
}
