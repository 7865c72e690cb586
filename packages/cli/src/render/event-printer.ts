import { type Event, PromptState, SessionStatus, type Usage } from "@agentwire/api";
import { withoutErrorTags } from "@agentwire/view/text";
import { adviceOn, informationIn } from "@agentwire/view/timeline";
import { aside, type Piece, said } from "../output.ts";
import { oneLine, plain } from "./plain.ts";
import { printDecision, printQuestion } from "./question-line.ts";
import type { Style } from "./style.ts";
import { printSpan } from "./time.ts";
import { printCall } from "./tool-call.ts";
import { printUsage } from "./usage-line.ts";

/** How to print a session. */
interface PrinterOptions {
  readonly style: Style;
  /** Whether to show prompts; not needed for a user who has just typed one. */
  readonly prompts: boolean;
}

/** Text that is still streaming, or a tool call whose line is unfinished. */
type Open =
  | { readonly type: "text" | "thinking"; readonly key: string; readonly printed: string }
  | { readonly type: "call"; readonly id: string };

type Body<C extends Event["body"]["case"]> =
  Extract<Event["body"], { case: C }> extends { value: infer V } ? V : never;

/** Turns the events of a session into text, remembering only what is unfinished. */
export class EventPrinter {
  readonly #style: Style;
  readonly #prompts: boolean;
  /** The lines of the running tool calls. */
  readonly #calls = new Map<string, string>();
  #open: Open | undefined;
  #usage: Usage | undefined;
  /** The last text of a reply: agents repeat their errors there. */
  #said = "";

  constructor({ style, prompts }: PrinterOptions) {
    this.#style = style;
    this.#prompts = prompts;
  }

  /** The output that an event adds. */
  print({ body, parentToolUseId }: Event): readonly Piece[] {
    const inside = parentToolUseId !== "";
    switch (body.case) {
      case "textDelta":
        return inside
          ? []
          : this.#grow("text", `${body.value.messageId}/${body.value.index}`, body.value.text);
      case "thinkingDelta":
        return inside
          ? []
          : this.#grow("thinking", `${body.value.messageId}/${body.value.index}`, body.value.text);
      case "text":
        return inside ? this.#beside(indented(body.value.text)) : this.#finish("text", body.value.text);
      case "thinking":
        return inside ? [] : this.#finish("thinking", body.value.text);
      case "toolCallStart":
        return this.#callStarted(body.value, inside);
      case "toolCallResult":
        return this.#callEnded(body.value, inside);
      case "toolInputDelta":
      case "toolOutputDelta":
        return [];
      case "usageReport":
        this.#usage = body.value.turn;
        return [];
      default:
        return this.#beside(...this.#lines(body));
    }
  }

  #grow(type: "text" | "thinking", key: string, text: string): readonly Piece[] {
    const open = this.#open?.type === type && this.#open.key === key ? this.#open : undefined;
    this.#open = { type, key, printed: (open?.printed ?? "") + text };
    return [this.#spoken(type, text, open === undefined)];
  }

  /** The rest of a finished text that was not already printed as it streamed. */
  #finish(type: "text" | "thinking", text: string): readonly Piece[] {
    if (type === "text") this.#said = text;
    const printed = this.#open?.type === type ? this.#open.printed : "";
    this.#open = undefined;
    const isGrown = printed !== "" && text.startsWith(printed);
    const rest = isGrown ? text.slice(printed.length) : text;
    const end = rest.endsWith("\n") || (isGrown && rest === "" && text.endsWith("\n")) ? "" : "\n";
    return [this.#spoken(type, `${rest}${end}`, !isGrown)];
  }

  #spoken(type: "text" | "thinking", text: string, fresh: boolean): Piece {
    if (type === "text") return said(plain(text), fresh);
    const shown = plain(text);
    let end = shown.length;
    while (shown[end - 1] === "\n") end--;
    return { channel: "aside", text: `${this.#style.dim(shown.slice(0, end))}${shown.slice(end)}`, fresh };
  }

  #callStarted({ toolUseId, name, inputJson }: Body<"toolCallStart">, inside: boolean): readonly Piece[] {
    const line = `${inside ? "  │ " : ""}${this.#style.cyan("●")} ${printCall(name, inputJson)}`;
    this.#calls.set(toolUseId, line);
    this.#open = { type: "call", id: toolUseId };
    return [{ channel: "aside", text: line, fresh: true }];
  }

  #callEnded(result: Body<"toolCallResult">, inside: boolean): readonly Piece[] {
    const { toolUseId, isError, text, durationMs } = result;
    const { dim, red } = this.#style;
    const line = this.#calls.get(toolUseId) ?? `${inside ? "  │ " : ""}● ${toolUseId}`;
    this.#calls.delete(toolUseId);
    const outcome = isError
      ? red(`failed: ${oneLine(withoutErrorTags(text), 120)}`)
      : dim(printSpan(Number(durationMs)));
    const isNext = this.#open?.type === "call" && this.#open.id === toolUseId;
    this.#open = undefined;
    return [{ channel: "aside", text: `${isNext ? "" : line} ${dim("·")} ${outcome}\n`, fresh: !isNext }];
  }

  #beside(...lines: readonly string[]): readonly Piece[] {
    if (lines.length === 0) return [];
    this.#open = undefined;
    return lines.map(aside);
  }

  #lines(body: Event["body"]): readonly string[] {
    const { bold, dim, red, yellow } = this.#style;
    switch (body.case) {
      case "userInput":
        return this.#prompts ? [bold(`› ${plain(body.value.text)}`)] : [];
      case "permissionAsked":
      case "questionAsked":
        return body.value.question ? [yellow(`? ${printQuestion(body.value.question)}`)] : [];
      case "permissionDecided":
      case "questionAnswered":
        return [dim(`  ${printDecision(body.value)}`)];
      case "todoList":
        return body.value.items.map(
          ({ content, status }) => `  ${MARKS.get(status) ?? "☐"} ${oneLine(content, 120)}`,
        );
      case "planMode":
        return body.value.plan === "" ? [dim("  (plan mode)")] : [`The plan:\n${plain(body.value.plan)}`];
      case "turnComplete":
        return [this.#turn(body.value)];
      case "error": {
        const { code, message } = body.value;
        const words = adviceOn(code, message) ?? (message === this.#said ? undefined : message);
        return [
          ...(words === undefined ? [] : [red(`✗ ${plain(words)}`)]),
          ...tail(body.value.stderrTail).map((line) => dim(`  ${line}`)),
        ];
      }
      case "statusChange":
        return NOTEWORTHY.has(body.value.status) && body.value.reason !== ""
          ? [yellow(`… ${plain(body.value.reason)}`)]
          : [];
      case "promptChange":
        return body.value.state === PromptState.CANCELLED ? [yellow(notAnswered(body.value.reason))] : [];
      case "deprecation":
        return [yellow(`! ${plain(body.value.message)}`)];
      case "taskUpdate":
        return [dim(`  task ${oneLine(body.value.description, 80)}: ${oneLine(body.value.status, 40)}`)];
      case "compaction":
        return [dim(`  (the conversation was compacted: ${body.value.tokensBefore} tokens before)`)];
      case "inputHolderChange":
        return [
          dim(
            body.value.client === ""
              ? "  (everyone may send again)"
              : `  (${plain(body.value.client)} holds the input${body.value.reason === "" ? "" : `: ${plain(body.value.reason)}`})`,
          ),
        ];
      case "inputRequest":
        return [dim(`  (${plain(body.value.client)} asks ${plain(body.value.holder)} for the input)`)];
      case "inputRefusal":
        return [dim(`  (${plain(body.value.holder)} keeps the input)`)];
      case "budgetNotice":
        return [
          yellow(
            `! ${body.value.scope === "day" ? "today" : "this session"}: $${body.value.spentUsd.toFixed(2)} of $${body.value.limitUsd.toFixed(2)} spent${body.value.stopped ? "; no new turn starts until the budget is raised: agentwire usage budget" : ""}`,
          ),
        ];
      case "rawMessage": {
        const said = informationIn(body.value);
        const lines = said ? [said.text, ...(said.detail ? [said.detail] : [])].join("\n") : "";
        if (said) return [(said.tone === "warning" ? yellow : dim)(`! ${plain(lines)}`)];
        return [dim(`  (${oneLine([body.value.type, body.value.subtype].filter(Boolean).join("/"), 80)})`)];
      }
      default:
        return [];
    }
  }

  #turn({ isError, errors, text, subtype, terminalReason, durationMs }: Body<"turnComplete">): string {
    const { dim, red, yellow } = this.#style;
    // An interrupt is not a failure.
    if (terminalReason.startsWith("aborted")) return yellow("  (interrupted)");
    const why = errors.join("; ") || text || subtype;
    if (isError) return red(`✗ the turn failed${why === this.#said ? "" : `: ${oneLine(why, 300)}`}`);
    const usage = this.#usage === undefined ? "" : printUsage(this.#usage);
    this.#usage = undefined;
    return dim(`  (${printSpan(Number(durationMs))}${usage === "" ? "" : `, ${usage}`})`);
  }
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ["completed", "☑"],
  ["in_progress", "◐"],
]);

const NOTEWORTHY: ReadonlySet<SessionStatus> = new Set([
  SessionStatus.WAITING,
  SessionStatus.RECOVERING,
  SessionStatus.FAILED,
]);

const STDERR_LINES = 8;

const tail = (text: string) =>
  plain(text)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-STDERR_LINES);

const indented = (text: string) =>
  plain(text)
    .trimEnd()
    .split("\n")
    .map((line) => `  │ ${line}`)
    .join("\n");

/** Earlier versions of the daemon give no reason. */
const notAnswered = (reason: string) =>
  `✗ the prompt was not answered${reason === "" ? "" : `: ${plain(reason)}`}`;
