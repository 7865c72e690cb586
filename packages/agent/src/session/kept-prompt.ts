import type { Outlet } from "../host/outlet.ts";
import { PROMPT_LINE } from "../store/entry.ts";
import type { OpenedConversation } from "../store/open-conversation.ts";
import type { Records } from "../store/records.ts";

/** The system prompt of a conversation, if the host wants it to stay the same. */
export interface KeptPrompt {
  readonly kept: readonly string[] | undefined;
  /** The kept prompt; if there is none yet, keeps this one from now on, in later processes too. */
  settle(render: () => readonly string[]): readonly string[];
  /** Starts over for a new conversation: the next prompt is kept. */
  forget(): void;
}

/** Restores the system prompt that an earlier process kept, if there is one. */
export function keptPrompt({
  opening,
  records,
  outlet,
}: {
  readonly opening: Extract<OpenedConversation, { kind: "open" }>;
  readonly records: Records;
  readonly outlet: Outlet;
}): KeptPrompt {
  let kept = opening.earlier?.systemPrompt;
  // A fork's transcript starts with copies of messages only.
  let isStored = kept !== undefined && opening.copied.length === 0;
  return {
    get kept() {
      return kept;
    },
    settle(render) {
      kept ??= render();
      if (!isStored) records.note({ type: PROMPT_LINE, systemPrompt: kept, sessionId: outlet.sessionId });
      isStored = true;
      return kept;
    },
    forget() {
      kept = undefined;
      isStored = false;
    },
  };
}
