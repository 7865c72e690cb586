import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The subagent that a transcript belongs to, and what started it. */
export interface SubagentInfo {
  readonly agentId: string;
  readonly agentType: string;
  readonly description?: string;
  /** The tool call that started it. */
  readonly toolUseId?: string;
  /** The subagent that started it; undefined if the session itself did. */
  readonly parentAgentId?: string;
}

/** Writes the small file next to a subagent's transcript that tells readers which tool call it belongs to. */
export async function storeSubagentInfo(transcriptPath: string, info: SubagentInfo): Promise<void> {
  await mkdir(dirname(transcriptPath), { recursive: true, mode: 0o700 });
  await writeFile(transcriptPath.replace(/\.jsonl$/, ".meta.json"), JSON.stringify(info), { mode: 0o600 });
}
