import { readSmallJson, sidecarFile } from "./sidecar.ts";

/** The title that was kept in a file beside the transcript, where a long conversation would push it out of reach. */
export async function sidecarTitle(transcript: string, sessionId: string): Promise<string | undefined> {
  const kept = await readSmallJson(sidecarFile(transcript, sessionId, "custom-title.json"));
  return typeof kept?.customTitle === "string" ? kept.customTitle.trim() || undefined : undefined;
}
