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

/** Turns events into displayable items as they arrive; a subagent's items are nested in the call that started it. */
export class Timeline {
  readonly #main = new Strand("");
  readonly #strands = new Map<string, Strand>([["", this.#main]]);
  /** Locates each call and each question. */
  readonly #owners = new Map<string, Owner>();
  /** Questions that arrived before their calls, by call id: questions travel separately from the agent's other output. */
  readonly #early = new Map<string, Owner>();
  readonly #touched = new Set<Strand>();
  /** The last text of a reply. */
  #said = "";
  #usage: Extract<Event["body"], { case: "usageReport" }>["value"] | undefined;

  /** Adds events and returns all items, oldest first. Each change yields a new list in which unchanged items are the same objects. */
  add(events: readonly Event[]): readonly Item[] {
    for (const event of joined(events)) this.#take(event);
    for (const strand of this.#touched) this.#propagate(strand);
    this.#touched.clear();
    return this.#main.publish();
  }

  /** Replaces the text of an unfinished reply whose beginning has been printed permanently; returns all items. */
  shorten(key: string, text: string): readonly Item[] {
    const item = this.#main.get(key);
    if (item?.kind === "said") this.#main.replace({ ...item, text });
    return this.#main.publish();
  }

  /** Drops finished items that have been printed permanently; returns the remaining ones. */
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
          isFailureStated: body.value.failure !== "" && body.value.failure === this.#said,
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
        // Nothing else ends a turn that a killed daemon left behind.
        if (body.case === "statusChange" && AT_REST.has(body.value.status)) this.#settle();
        const words = noticeOf(event);
        // The agent may have reported the same error in a reply.
        if (words && words.text !== this.#said) strand.push({ ...at, kind: "notice", detail: "", ...words });
      }
    }
  }

  /** Removes everything from an event number on, and the prompts that were rewound. */
  #rewound(fromSeq: number, prompts: ReadonlySet<string>): void {
    const gone = this.#main.items.filter(({ seq, key }) => seq >= fromSeq || prompts.has(key));
    this.forget(new Set(gone.map(({ key }) => key)));
  }

  /** The strand of an event; if its call started before the loaded events, a placeholder call is added. */
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

  /** Appends output to a call; only the last part of it is kept. */
  #printed(strand: Strand, at: Base, { toolUseId, text, cut }: ToolOutputDelta): void {
    const owner = this.#owners.get(toolUseId);
    const call = owner?.strand.get(owner.key);
    const before = call?.kind === "call" && !cut ? call.output : "";
    this.#changeCall(strand, at, toolUseId, { output: (before + text).slice(-MAX_OUTPUT_CHARS) });
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

  /** Ends the turn for the agent and its subagents. */
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

  /** Passes the items of a strand to its call, and so on outwards. */
  #propagate(strand: Strand): void {
    const owner = this.#owners.get(strand.parent);
    const call = owner?.strand.get(owner.key);
    if (!owner || call?.kind !== "call") return;
    owner.strand.replace({ ...call, children: strand.publish() });
    if (owner.strand !== this.#main) this.#propagate(owner.strand);
  }
}

/** How much of a running call's output is kept. */
const MAX_OUTPUT_CHARS = 8000;

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
