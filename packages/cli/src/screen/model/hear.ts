import { type Event, type News, PromptState } from "@agentwire/api";
import { withEvents } from "@agentwire/view/facts";
import { Segmenter } from "@agentwire/view/markdown";
import type { Item, SaidItem } from "@agentwire/view/timeline";
import { isWorking, type ScreenState, type Written, withQuestion } from "./state.ts";

/** The screen after news of its session. */
export function hear(state: ScreenState, news: News, nowMs: number): ScreenState {
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
      // An agent says its mode when a turn begins; until then the last word is the user's.
      const info = facts?.info === state.facts?.info ? undefined : facts?.info;
      return withQuestion(
        { ...next, busySinceMs, ...(info && { mode: info.permissionMode || state.mode }) },
        nowMs,
      );
    }
    case "lost":
      return { ...state, isLost: true };
    case "caught_up":
      return { ...state, isLost: false };
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
  return prompts.length > MOST_PROMPTS ? prompts.slice(-MOST_PROMPTS) : prompts;
}

const MOST_PROMPTS = 200;

/** What leaves the live part of the screen for the terminal's own history, in order. */
export interface Finished {
  readonly state: ScreenState;
  readonly items: readonly Item[];
}

/** Takes what is finished out of the live part: whole items, and of a reply that is being written the blocks before the last. */
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

/** The same where a reply is being written: its finished blocks go as well, and only the rest of it is kept. */
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

/** Prompts that no turn has begun with are shown below. */
const isWaiting = (item: Item) => item.kind === "prompt" && item.state === PromptState.QUEUED;

function isFinal(item: Item): boolean {
  switch (item.kind) {
    case "said":
    case "thought":
    case "draft":
      return item.stage !== "open";
    case "call":
      // One without a name began before what is shown, and stands in for what happens inside of it.
      return item.result !== undefined || item.isAbandoned || item.name === "";
    case "question":
      return item.settled !== undefined;
    default:
      return true;
  }
}

/** How much of what was written is compared with what the whole reply says at that place. */
const SAMPLE = 200;

/** What of a reply has not left the live part of the screen. */
export function restOf({ key, text, stage }: SaidItem, written: Written | undefined): string {
  if (written?.key !== key) return text;
  if (stage !== "done") return written.fence + text;
  const { length, end, fence } = written;
  return text.slice(Math.max(0, length - end.length), length) === end ? fence + text.slice(length) : text;
}

/** A live part that is longer is drawn too slowly, and seen only in part. */
const MOST_LIVE_CHARS = 6000;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/;

/** How long the finished blocks of a text are, and the line that begins the code block in which they end, if they do. */
function finishedLength(rest: string): { readonly length: number; readonly fence: string } {
  const { parts, rest: beyond } = new Segmenter().split(rest);
  const length = rest.length - beyond.length - (parts.at(-1)?.length ?? 0);
  if (length > 0 || rest.length <= MOST_LIVE_CHARS) return { length, fence: "" };
  const fence = FENCE.exec(rest)?.[0] ?? "";
  const end = rest.lastIndexOf(fence === "" ? " " : "\n") + 1;
  return end > fence.length ? { length: end, fence } : { length: 0, fence: "" };
}
