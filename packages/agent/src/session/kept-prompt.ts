import type { Outlet } from "../host/outlet.ts";
import { PROMPT_LINE } from "../store/entry.ts";
import type { OpenedConversation } from "../store/open-conversation.ts";
import type { Records } from "../store/records.ts";

/** The system prompt of a conversation, where the host wants that it stays what it was. */
export interface KeptPrompt {
  readonly kept: readonly string[] | undefined;
  /** The prompt that was kept; if none was, this one is from now on, in later processes too. */
  settle(render: () => readonly string[]): readonly string[];
  /** A new conversation begins: the next prompt is the one to keep. */
  forget(): void;
}

/** Takes up the system prompt that an earlier process has kept, if there is one. */
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
  // The transcript of a fork begins with copies of messages only.
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
