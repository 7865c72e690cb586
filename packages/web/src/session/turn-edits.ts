import type { Event } from "@agentwire/api";
import { editMade, editOf, type FileEdit, parseInput } from "@agentwire/view/text";
import type { Client } from "../client.ts";

/** The file edits made by tools in one turn. */
export interface TurnEdits {
  readonly seq: number;
  /** The prompt of the turn. */
  readonly prompt: string;
  readonly edits: readonly FileEdit[];
}

const PAGE = 1000;
const MOST_PAGES = 50;

/** The turns in which tools changed files, latest last; only the most recent ones for a very long session. */
export async function loadTurnEdits(
  { sessions }: Pick<Client, "sessions">,
  sessionId: string,
): Promise<readonly TurnEdits[]> {
  const pages: (readonly Event[])[] = [];
  let fromSeq = 0n;
  for (let count = 0; count < MOST_PAGES; count++) {
    const { events, more } = await sessions.listEvents({
      sessionId,
      fromSeq,
      backwards: true,
      pageSize: PAGE,
    });
    pages.unshift(events);
    const [first] = events;
    if (!more || !first) break;
    fromSeq = first.seq;
  }
  return turnsOf(pages.flat());
}

/** The turns, in some loaded events, in which tools changed files. */
export function turnsOf(events: readonly Event[]): readonly TurnEdits[] {
  const turns: { seq: number; prompt: string; edits: FileEdit[] }[] = [];
  const planned = new Map<string, FileEdit>();
  for (const { seq, body } of events) {
    if (body.case === "userInput") turns.push({ seq: Number(seq), prompt: body.value.text, edits: [] });
    if (body.case === "toolCallStart") {
      const { toolUseId, name, inputJson } = body.value;
      const edit = editOf(name, parseInput(inputJson));
      if (edit) planned.set(toolUseId, edit);
    }
    if (body.case !== "toolCallResult" || body.value.isError) continue;
    // Prefer what the tool reports; for a new file it reports nothing.
    const edit = editMade(body.value.structuredJson) ?? planned.get(body.value.toolUseId);
    if (!edit) continue;
    if (turns.length === 0) turns.push({ seq: Number(seq), prompt: "", edits: [] });
    turns.at(-1)?.edits.push(edit);
  }
  return turns.filter(({ edits }) => edits.length > 0);
}
