import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SubagentLinks } from "./messages.ts";
import { readSmallJson } from "./sidecar.ts";

const TRANSCRIPT = /^agent-(.+)\.jsonl$/s;
const MAX_ID_LENGTH = 128;
const NOT_IN_AGENT_ID = /[^a-z0-9_-]/i;
const NOT_IN_CALL_ID = /[^a-z0-9_.:-]/i;

/** A transcript that belongs to a session besides its own. */
export interface SubagentFile {
  readonly agentId: string;
  readonly path: string;
}

/** The transcripts of a session's subagents, in all folders below `subagents`. */
export async function subagentFiles(transcript: string): Promise<SubagentFile[]> {
  const names = await filesBelow(join(transcript.replace(/\.jsonl$/, ""), "subagents"));
  return names.flatMap(({ folder, name }) => {
    const agentId = TRANSCRIPT.exec(name)?.[1];
    return agentId === undefined ? [] : [{ agentId, path: join(folder, name) }];
  });
}

/** The tool call that started a subagent, from the file next to its transcript. */
export async function readLinks(path: string): Promise<SubagentLinks> {
  return linksIn(await readSmallJson(metadataFile(path)));
}

/** The file with the metadata of a subagent. */
export const metadataFile = (path: string): string => path.replace(/\.jsonl$/, ".meta.json");

/** Reads the tool call that started a subagent; malformed ids are left out. */
export function linksIn(facts: Readonly<Record<string, unknown>> | undefined): SubagentLinks {
  return {
    toolUseId: idWithout(NOT_IN_CALL_ID, facts?.toolUseId),
    parentAgentId: idWithout(NOT_IN_AGENT_ID, facts?.parentAgentId),
  };
}

/** Every file in a folder and its subfolders; links are not followed. */
export async function filesBelow(folder: string): Promise<{ folder: string; name: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: { folder: string; name: string }[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) found.push(...(await filesBelow(join(folder, entry.name))));
    else if (entry.isFile()) found.push({ folder, name: entry.name });
  }
  return found;
}

function idWithout(foreign: RegExp, value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > MAX_ID_LENGTH) return undefined;
  return foreign.test(value) ? undefined : value;
}
