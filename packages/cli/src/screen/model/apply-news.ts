import { type Event, type News, PromptState } from "@agentwire/api";
import { withEvents } from "@agentwire/view/facts";
import { Segmenter } from "@agentwire/view/markdown";
import type { Item, SaidItem } from "@agentwire/view/timeline";
import { isWorking, type ScreenState, type Written, withQuestion } from "./state.ts";

/** Applies news of the session to the screen. */
export function applyNews(state: ScreenState, news: News, nowMs: number): ScreenState {
  switch (news.type) {
    case "events": {
      const facts = state.facts && withEvents(state.facts, news.events);
      const next = {
        ...state,
        facts,
        items: state.timeline.add(news.events),
        prompts: withPrompts(state.prompts, news.events),
      };
      const busySinceMs = !isWorking(next) ? 0 : state.busySinceMs || nowMs;
      // The agent reports its mode when a turn begins; until then the user's choice counts.
      const info = facts?.info === state.facts?.info ? undefined : facts?.info;
      return withQuestion(
        { ...next, busySinceMs, ...(info && { mode: info.permissionMode || state.mode }) },
        nowMs,
      );
    }
    case "lost":
      return { ...state, lost: "lost the daemon; reconnecting" };
    case "caught_up":
      return { ...state, lost: undefined };
    default:
      return state;
  }
}

function withPrompts(known: ScreenState["prompts"], events: readonly Event[]): ScreenState["prompts"] {
  let prompts = known;
  for (const { body } of events) {
    if (body.case === "userInput")
      prompts = [...prompts, { id: body.value.promptId, text: body.value.text.slice(0, 300) }];
    if (body.case === "conversationRewind") {
      const { promptIds } = body.value;
      prompts = prompts.filter(({ id }) => !promptIds.includes(id));
    }
  }
  return prompts.length > MAX_PROMPTS ? prompts.slice(-MAX_PROMPTS) : prompts;
}

const MAX_PROMPTS = 200;

/** Items that move from the live part to the terminal's own history, in order, and the remaining state. */
export interface Finished {
  readonly state: ScreenState;
  readonly items: readonly Item[];
}

/** Removes finished output from the live part: whole items, and all but the last block of a streaming reply. */
export function takeFinished(state: ScreenState): Finished {
  const done: Item[] = [];
  const keys = new Set<string>();
  let { written } = state;
  for (const item of state.items) {
    if (isWaiting(item)) continue;
    if (isFinal(item)) {
      keys.add(item.key);
      done.push(item.kind === "said" ? { ...item, text: restOf(item, written) } : item);
      if (written?.key === item.key) written = undefined;
      continue;
    }
    if (item.kind === "said") return withoutWritten({ ...state, written }, done, keys, item);
    break;
  }
  return {
    state: done.length === 0 ? state : { ...state, items: state.timeline.forget(keys), written },
    items: done,
  };
}

/** Also removes the finished blocks of a streaming reply, and keeps only its rest. */
function withoutWritten(
  state: ScreenState,
  done: readonly Item[],
  keys: ReadonlySet<string>,
  item: SaidItem,
): Finished {
  const taken = finishedLength(restOf(item, state.written));
  const known = state.written?.key === item.key ? state.written : undefined;
  const fence = known?.fence ?? "";
  if (taken.length <= fence.length)
    return {
      state: done.length === 0 ? state : { ...state, items: state.timeline.forget(keys) },
      items: done,
    };
  const text = item.text.slice(0, taken.length - fence.length);
  const written = {
    key: item.key,
    length: (known?.length ?? 0) + text.length,
    end: text.slice(-SAMPLE),
    fence: taken.fence,
  };
  state.timeline.forget(keys);
  const items = state.timeline.shorten(item.key, item.text.slice(text.length));
  return { state: { ...state, items, written }, items: [...done, { ...item, text: fence + text }] };
}

/** Queued prompts are shown separately, below. */
const isWaiting = (item: Item) => item.kind === "prompt" && item.state === PromptState.QUEUED;

function isFinal(item: Item): boolean {
  switch (item.kind) {
    case "said":
    case "thought":
    case "draft":
      return item.stage !== "open";
    case "call":
      // A call without a name began before the events shown; it only holds its children.
      return item.result !== undefined || item.isAbandoned || item.name === "";
    case "question":
      return item.settled !== undefined;
    default:
      return true;
  }
}

/** How much of the written text is compared with the complete reply at the same position. */
const SAMPLE = 200;

/** The part of a reply that is still in the live part of the screen. */
export function restOf({ key, text, stage }: SaidItem, written: Written | undefined): string {
  if (written?.key !== key) return text;
  if (stage !== "done") return written.fence + text;
  const { length, end, fence } = written;
  return text.slice(Math.max(0, length - end.length), length) === end ? fence + text.slice(length) : text;
}

/** A longer live part would be slow to draw and only partly visible. */
const MAX_LIVE_CHARS = 6000;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/;

/** The length of a text's finished blocks, and the opening line of the code block in which they end, if any. */
function finishedLength(rest: string): { readonly length: number; readonly fence: string } {
  const { parts, rest: beyond } = new Segmenter().split(rest);
  const length = rest.length - beyond.length - (parts.at(-1)?.length ?? 0);
  if (length > 0 || rest.length <= MAX_LIVE_CHARS) return { length, fence: "" };
  const fence = FENCE.exec(rest)?.[0] ?? "";
  const end = rest.lastIndexOf(fence === "" ? " " : "\n") + 1;
  return end > fence.length ? { length: end, fence } : { length: 0, fence: "" };
}
