import { readSmallJson, sidecarFile } from "./sidecar.ts";

/** The title stored in a file next to the transcript, because a long conversation would move it out of the part that is read. */
export async function sidecarTitle(transcript: string, sessionId: string): Promise<string | undefined> {
  const kept = await readSmallJson(sidecarFile(transcript, sessionId, "custom-title.json"));
  return typeof kept?.customTitle === "string" ? kept.customTitle.trim() || undefined : undefined;
}
