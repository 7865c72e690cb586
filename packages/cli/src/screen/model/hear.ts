import { type Event, type News, PromptState } from "@agentwire/api";
import { withEvent } from "@agentwire/view/facts";
import { Segmenter } from "@agentwire/view/markdown";
import type { Item, SaidItem } from "@agentwire/view/timeline";
import { isWorking, type ScreenState, type Written, withQuestion } from "./state.ts";

/** The screen after news of its session. */
export function hear(state: ScreenState, news: News, nowMs: number): ScreenState {
  switch (news.type) {
    case "events": {
      const facts = state.facts && news.events.reduce(withEvent, state.facts);
      const next = {
        ...state,
        facts,
        items: state.timeline.add(news.events),
        prompts: withPrompts(state.prompts, news.events),
      };
      const busySinceMs = !isWorking(next) ? 0 : state.busySinceMs || nowMs;
      const info = facts?.info;
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
  const fresh = events.flatMap(({ body }) =>
    body.case === "userInput" ? [{ id: body.value.promptId, text: body.value.text.slice(0, 300) }] : [],
  );
  return fresh.length === 0 ? known : [...known, ...fresh].slice(-MOST_PROMPTS);
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
    if (item.kind === "said") {
      const [text, next] = finishedPart(item, written);
      if (text !== "") done.push({ ...item, text });
      written = next;
    }
    break;
  }
  if (done.length === 0) return { state, items: done };
  const items = keys.size === 0 ? state.items : state.timeline.forget(keys);
  return { state: { ...state, items, written }, items: done };
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

/** What of a reply is still in the live part of the screen. */
export function restOf({ key, text }: SaidItem, written: Written | undefined): string {
  if (written?.key !== key) return text;
  return text.startsWith(written.text) ? written.fence + text.slice(written.text.length) : text;
}

/** A live part that is longer is drawn too slowly, and seen only in part. */
const MOST_LIVE_CHARS = 6000;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/;

/** The finished blocks of a reply, and what has been written with them. */
function finishedPart(item: SaidItem, before: Written | undefined): readonly [string, Written | undefined] {
  const rest = restOf(item, before);
  const known = item.text.length - rest.length + (before?.key === item.key ? before.fence.length : 0);
  const { parts } = new Segmenter().split(rest);
  const last = parts.at(-1) ?? "";
  const taken = rest.slice(0, rest.length - last.length);
  const writtenTo = (length: number, fence: string): Written => ({
    key: item.key,
    text: item.text.slice(0, known + length - fenceLength),
    fence,
  });
  const fenceLength = before?.key === item.key ? before.fence.length : 0;
  if (taken !== "") return [taken, writtenTo(taken.length, "")];
  if (rest.length <= MOST_LIVE_CHARS) return ["", before];
  const fence = FENCE.exec(rest)?.[0] ?? "";
  const end = fence === "" ? rest.lastIndexOf(" ", MOST_LIVE_CHARS) + 1 : rest.lastIndexOf("\n") + 1;
  if (end <= fence.length) return ["", before];
  return [rest.slice(0, end), writtenTo(end, fence)];
}
