import {
  type Event,
  type PermissionDecided,
  type PromptChange,
  PromptState,
  type Question,
  type QuestionAnswered,
  SessionStatus,
  type ToolOutputDelta,
} from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { AskedQuestion, CallItem, Item, QuestionItem } from "./item.ts";
import { informationIn, noticeOf } from "./notices.ts";
import { joined } from "./pieces.ts";
import { Strand } from "./strand.ts";

/** Turns events into what people see of them, as they come; what a subagent does is inside of the call that started it. */
export class Timeline {
  readonly #main = new Strand("");
  readonly #strands = new Map<string, Strand>([["", this.#main]]);
  /** Where each call and each question is. */
  readonly #owners = new Map<string, Owner>();
  /** Questions that came before their calls, by the call: they are asked beside what else the agent says. */
  readonly #early = new Map<string, Owner>();
  readonly #touched = new Set<Strand>();
  /** The last text of a reply. */
  #said = "";
  #usage: Extract<Event["body"], { case: "usageReport" }>["value"] | undefined;

  /** Everything so far, oldest first; a new list with unchanged items in it after each change. */
  add(events: readonly Event[]): readonly Item[] {
    for (const event of joined(events)) this.#take(event);
    for (const strand of this.#touched) this.#spread(strand);
    this.#touched.clear();
    return this.#main.publish();
  }

  /** Lets go of the beginning of a reply that is still being written and was shown for good; gives the items with what is left of it. */
  shorten(key: string, text: string): readonly Item[] {
    const item = this.#main.get(key);
    if (item?.kind === "said") this.#main.replace({ ...item, text });
    return this.#main.publish();
  }

  /** Lets go of items that are finished and have been shown for good; gives those that are left. */
  forget(keys: ReadonlySet<string>): readonly Item[] {
    for (const [id, { strand, key }] of this.#owners) {
      if (strand !== this.#main || !keys.has(key)) continue;
      this.#owners.delete(id);
      this.#strands.delete(id);
    }
    this.#main.drop(keys);
    return this.#main.publish();
  }

  #take(event: Event) {
    const { body } = event;
    const at = baseOf(event);
    const strand = this.#strandOf(event);
    switch (body.case) {
      case "userInput":
        return strand.push({
          ...at,
          kind: "prompt",
          ...body.value,
          key: promptKey(body.value.promptId),
          state: PromptState.QUEUED,
          isCutOff: false,
        });
      case "promptChange":
        return this.#promptChanged(strand, body.value);
      case "textDelta":
        return strand.grow({
          ...at,
          key: pieceKey(body.value),
          kind: "said",
          text: body.value.text,
          stage: "open",
        });
      case "thinkingDelta":
        return strand.grow({
          ...at,
          key: pieceKey(body.value),
          kind: "thought",
          text: body.value.text,
          stage: "open",
        });
      case "toolInputDelta":
        return strand.grow({
          ...at,
          key: pieceKey(body.value),
          kind: "draft",
          text: body.value.partialJson,
          stage: "open",
        });
      case "text":
        this.#said = body.value.text;
        return strand.finish({ ...at, kind: "said", text: body.value.text, stage: "done" }, from(event));
      case "thinking":
        return strand.finish({ ...at, kind: "thought", text: body.value.text, stage: "done" }, from(event));
      case "toolCallStart":
        return this.#called(strand, event, { ...newCall(at, body.value.toolUseId), ...pick(body.value) });
      case "toolOutputDelta":
        return this.#printed(strand, at, body.value);
      case "toolCallResult":
        return this.#changeCall(strand, at, body.value.toolUseId, { result: body.value, output: "" });
      case "permissionAsked":
      case "questionAsked":
        return body.value.question && this.#asked(strand, at, body.value.question);
      case "permissionDecided":
      case "questionAnswered":
        return this.#settled(body.value);
      case "usageReport":
        this.#usage = body.value;
        return;
      case "turnComplete":
        this.#settle();
        strand.push({
          ...at,
          kind: "turn",
          turn: body.value,
          isFailureTold: body.value.failure !== "" && body.value.failure === this.#said,
          ...(this.#usage && { usage: this.#usage }),
        });
        this.#usage = undefined;
        return;
      case "rawMessage": {
        const words = informationIn(body.value);
        if (words) return strand.push({ ...at, kind: "notice", detail: "", ...words });
        return strand.push({ ...at, kind: "raw", type: nameOf(body.value), json: body.value.json });
      }
      case "conversationRewind":
        this.#rewound(Number(body.value.fromSeq), new Set(body.value.promptIds.map(promptKey)));
        return strand.push({
          ...at,
          kind: "notice",
          tone: "quiet",
          detail: "",
          text: `The conversation was rewound by ${body.value.promptIds.length === 1 ? "one prompt" : `${body.value.promptIds.length} prompts`}.`,
        });
      default: {
        // A turn that a killed daemon left has no other end.
        if (body.case === "statusChange" && AT_REST.has(body.value.status)) this.#settle();
        const words = noticeOf(event);
        // The agent says what went wrong in a reply as well.
        if (words && words.text !== this.#said) strand.push({ ...at, kind: "notice", detail: "", ...words });
      }
    }
  }

  /** What was said from a number on is no longer part of the conversation, nor are the prompts that it answered. */
  #rewound(fromSeq: number, prompts: ReadonlySet<string>): void {
    const gone = this.#main.items.filter(({ seq, key }) => seq >= fromSeq || prompts.has(key));
    this.forget(new Set(gone.map(({ key }) => key)));
  }

  /** The strand of an event; one whose call began before what is loaded gets a call to stand in. */
  #strandOf(event: Event): Strand {
    const parent = event.parentToolUseId;
    const known = this.#strands.get(parent);
    const strand = known ?? new Strand(parent);
    if (!known) {
      this.#strands.set(parent, strand);
      if (!this.#owners.has(parent)) this.#called(this.#main, event, newCall(baseOf(event), parent));
    }
    this.#touched.add(strand);
    return strand;
  }

  #called(strand: Strand, event: Event, call: CallItem) {
    if (this.#owners.has(call.toolUseId)) return;
    const owner = { strand, key: call.key };
    this.#owners.set(call.toolUseId, owner);
    const early = this.#early.get(call.toolUseId);
    if (!early) return strand.finish(call, from(event));
    this.#early.delete(call.toolUseId);
    const { question, settled } = early.strand.get(early.key) as QuestionItem;
    early.strand.drop(new Set([early.key]));
    this.#owners.set(questionKey(question.id), owner);
    strand.finish({ ...call, question: { question, ...(settled && { settled }) } }, from(event));
  }

  #changeCall(strand: Strand, at: Base, id: string, change: Partial<CallItem>): void {
    if (!this.#owners.has(id)) {
      const call = newCall(at, id);
      this.#owners.set(id, { strand, key: call.key });
      strand.push(call);
    }
    const owner = this.#owners.get(id);
    const call = owner?.strand.get(owner.key);
    if (!owner || call?.kind !== "call") return;
    owner.strand.replace({ ...call, ...change });
    this.#touched.add(owner.strand);
  }

  /** What a call prints; only the end of it is kept. */
  #printed(strand: Strand, at: Base, { toolUseId, text, cut }: ToolOutputDelta): void {
    const owner = this.#owners.get(toolUseId);
    const call = owner?.strand.get(owner.key);
    const before = call?.kind === "call" && !cut ? call.output : "";
    this.#changeCall(strand, at, toolUseId, { output: (before + text).slice(-MOST_OUTPUT) });
  }

  #asked(strand: Strand, at: Base, question: Question): void {
    const call = this.#owners.get(question.toolUseId);
    if (call) {
      this.#owners.set(questionKey(question.id), call);
      this.#changeCall(strand, at, question.toolUseId, { question: { question } });
      return;
    }
    const owner = { strand, key: at.key };
    this.#owners.set(questionKey(question.id), owner);
    this.#early.set(question.toolUseId, owner);
    strand.push({ ...at, kind: "question", question });
  }

  #settled(settled: PermissionDecided | QuestionAnswered): void {
    const owner = this.#owners.get(questionKey(settled.questionId));
    const item = owner?.strand.get(owner.key);
    if (!owner || !item) return;
    if (item.kind === "question") owner.strand.replace({ ...item, settled });
    else if (item.kind === "call" && item.question)
      owner.strand.replace({ ...item, question: { ...item.question, settled } satisfies AskedQuestion });
    this.#touched.add(owner.strand);
  }

  /** The turn has ended for everyone in it. */
  #settle(): void {
    for (const strand of this.#strands.values()) {
      strand.settle();
      this.#touched.add(strand);
    }
  }

  #promptChanged(strand: Strand, { promptId, state, reason, cutOff: isCutOff }: PromptChange): void {
    const prompt = strand.get(promptKey(promptId));
    if (prompt?.kind === "prompt")
      strand.replace({ ...prompt, state, isCutOff, ...(reason !== "" && { reason }) });
  }

  /** Hands what is inside of a call to the call, and so on outwards. */
  #spread(strand: Strand): void {
    const owner = this.#owners.get(strand.parent);
    const call = owner?.strand.get(owner.key);
    if (!owner || call?.kind !== "call") return;
    owner.strand.replace({ ...call, children: strand.publish() });
    if (owner.strand !== this.#main) this.#spread(owner.strand);
  }
}

/** As much as anybody sees of what is still being printed. */
const MOST_OUTPUT = 8000;

const AT_REST: ReadonlySet<SessionStatus> = new Set([SessionStatus.IDLE, SessionStatus.FAILED]);

interface Owner {
  readonly strand: Strand;
  readonly key: string;
}

type Base = Pick<Item, "key" | "seq" | "timeMs">;

const baseOf = ({ seq, time }: Event): Base => ({
  key: `e${seq}`,
  seq: Number(seq),
  timeMs: time ? timestampMs(time) : 0,
});

const from = ({ supersedesFrom, seq }: Event) => Number(supersedesFrom || seq);
const promptKey = (id: string) => `prompt ${id}`;
const questionKey = (id: string) => `question ${id}`;
const pieceKey = ({ messageId, index }: { readonly messageId: string; readonly index: number }) =>
  `piece ${messageId} ${index}`;
const nameOf = ({ type, subtype }: { readonly type: string; readonly subtype: string }) =>
  subtype === "" ? type : `${type}/${subtype}`;
const pick = ({ name, inputJson }: { readonly name: string; readonly inputJson: string }) => ({
  name,
  inputJson,
});

const newCall = (at: Base, toolUseId: string): CallItem => ({
  ...at,
  kind: "call",
  toolUseId,
  name: "",
  inputJson: "",
  output: "",
  children: [],
  isAbandoned: false,
});
