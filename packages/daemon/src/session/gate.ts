import { isDeepStrictEqual } from "node:util";
import { Disposition } from "@agentwire/api";
import type { HookOutput } from "@agentwire/protocol/hooks";
import type { GivenRule, PermissionResult } from "@agentwire/protocol/permission";
import type { Metrics } from "../metrics/metrics.ts";
import {
  DECLINED,
  ELICITATION,
  type ElicitationAnswer,
  type Elicited,
  elicitationResult,
  problemOf,
} from "../permission/elicitation.ts";
import { evaluate, nameOf, type RuleDecision } from "../permission/engine.ts";
import type { Asked, Ledger, Settlement } from "../permission/ledger.ts";
import { ASK_USER, type PlannedCall, type ToolQuestion } from "../permission/question.ts";
import { ruleContext } from "../permission/real-paths.ts";
import type { RuleBook } from "../permission/rule-book.ts";
import type { Audit } from "../store/audit-log.ts";
import type { Draft } from "../store/draft.ts";
import type { Write } from "../store/write.ts";
import { errorDraft } from "./events/error.ts";
import type { FaultMonitor } from "./fault-monitor.ts";
import { truncationMarker } from "./payload.ts";
import { limited, rawLine } from "./payload-limit.ts";
import type { SessionState } from "./state.ts";

/** The dependencies of a gate. */
export interface GateOptions {
  readonly state: SessionState;
  readonly rules: RuleBook;
  readonly ledger: Ledger;
  readonly home: string;
  readonly audit: Audit;
  readonly faults: FaultMonitor;
  readonly metrics: Metrics;
  readonly maxPayloadBytes: number;
  /** A question is open. */
  readonly onAsked: () => void;
  /** No question is open any more. */
  readonly onAnswered: () => void;
}

/** Answers an agent's questions: by a rule if one decides, otherwise by the first answer of a client. */
export class Gate {
  readonly #options: GateOptions;
  /** Complete open questions, by request: those shown may be truncated. */
  readonly #asked = new Map<string, ToolQuestion>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Whether any rule forbids anything. */
  get mayForbid(): boolean {
    const { state, rules } = this.#options;
    return rules.covering(state.record.id, state.record.cwd).some(({ behavior }) => behavior !== "allow");
  }

  /** Whether a rule forbids a call, or requires asking about it. */
  forbids(call: PlannedCall): boolean {
    if (!this.mayForbid) return false;
    const { behavior } = this.#verdict(call);
    return behavior === "deny" || behavior === "ask";
  }

  /** The agent has refused a call without reporting it: if a rule denies it, that was the reason. */
  refused(call: PlannedCall): void {
    const verdict = this.#verdict(call);
    if (verdict.behavior === "deny") this.#tellRuled(call, { requestId: call.tool_use_id }, verdict);
  }

  /**
   * Applies the rules that forbid a call, whether or not the agent would ask about it. Calls that they allow are left to the question,
   * if there is one, so this permits nothing that the agent would not do. For an agent that does not ask when told to, the call waits
   * here for the answer, for up to `heldMs`.
   */
  async check(call: PlannedCall, how: Asked, heldMs: number | undefined): Promise<HookOutput> {
    const verdict = this.#verdict(call);
    if (verdict.behavior === "ask")
      return heldMs === undefined
        ? before("ask", `This call is ${verdict.reason}.`)
        : this.#hold(call, how, heldMs, verdict);
    const ruled = verdict.behavior === "deny" ? byRule(call, verdict) : undefined;
    if (ruled?.behavior !== "deny") return {};
    this.#tellRuled(call, how, verdict);
    return before("deny", ruled.message);
  }

  async decide(asked: ToolQuestion, how: Asked): Promise<PermissionResult> {
    const { state, faults } = this.#options;
    state.tell(faults.asked(asked));
    const verdict = this.#verdict(asked);
    const ruled = byRule(asked, verdict);
    if (ruled) this.#tellRuled(asked, how, verdict);
    const answer = ruled ?? (await this.#ask(asked, { ...how, ...lineOf(asked, how) }, how.line));
    // An agent that gets no input back may run the call with none.
    return answer.behavior === "allow" && answer.updatedInput === undefined
      ? { ...answer, updatedInput: asked.input }
      : answer;
  }

  /** Asks the user on behalf of an MCP server, or of the agent; declines if a rule or the form prevents that. */
  async elicit(elicited: Elicited, how: Asked): Promise<ElicitationAnswer> {
    const { subtype: _, ...input } = elicited;
    const asked = { subtype: "can_use_tool", tool_name: ELICITATION, input, tool_use_id: "" } as const;
    const verdict = this.#verdict(asked);
    if (verdict.behavior === "deny") {
      this.#tellRuled(asked, how, verdict);
      return DECLINED;
    }
    const problem = problemOf(elicited, this.#options.maxPayloadBytes);
    if (problem !== undefined) {
      const message = `A question from ${elicited.mcp_server_name} was declined: ${problem}.`;
      this.#options.state.tell([errorDraft({ code: "unanswerable_question", message, fatal: false })]);
      return DECLINED;
    }
    const answer = await this.#ask(asked, { ...how, ...lineOf(elicited, how), elicited }, how.line);
    return elicitationResult(elicited, answer);
  }

  /** The rules have changed: questions that they now decide are settled. */
  async reconsider(): Promise<void> {
    await this.#options.ledger.reconsider((requestId) => {
      const asked = this.#asked.get(requestId);
      return asked && settlementBy(asked, this.#verdict(asked));
    });
  }

  async #hold(call: PlannedCall, how: Asked, heldMs: number, { reason }: RuleDecision): Promise<HookOutput> {
    const asked = { subtype: "can_use_tool", ...call, decision_reason: `This call is ${reason}.` } as const;
    const answer = await this.#ask(asked, { ...how, ...lineOf(call, how), heldMs }, how.line);
    if (answer.behavior === "deny") return before("deny", answer.message);
    const { updatedInput = call.input } = answer;
    return isDeepStrictEqual(updatedInput, call.input) ? before("allow", "A user allowed it.") : UNCHANGEABLE;
  }

  #tellRuled(call: PlannedCall, how: Arrival, verdict: RuleDecision): void {
    const { state, metrics } = this.#options;
    const draft = { ...decidedByRule(call, how.requestId, verdict), ...lineOf(call, how) };
    state.tell([draft], [this.#note(call, verdict)]);
    metrics.decided(dispositionOf(verdict), "rule");
  }

  #verdict(judged: JudgedCall): RuleDecision {
    const { state, rules, home } = this.#options;
    const { id, cwd, mode } = state.record;
    const call = { toolName: judged.tool_name, input: judged.input };
    const covering = rules.covering(id, cwd).filter((rule) => mayAnswer(rule, judged, mode));
    return evaluate(call, covering, ruleContext(call, cwd, home));
  }

  #note({ tool_name: name, input }: PlannedCall, { behavior, rules }: RuleDecision): Write {
    const { state, audit } = this.#options;
    return audit({
      kind: "decision",
      actor: `rule: ${rules.map(nameOf).join(", ")}`,
      action: behavior === "allow" ? "allowed" : "denied",
      subject: state.record.id,
      detail: `${name} ${JSON.stringify(input).slice(0, MAX_NOTED_CHARS)}`,
    });
  }

  /** A question that is too long, as it is stored and shown. */
  #shown(asked: ToolQuestion, line: string | undefined): ToolQuestion {
    const { maxPayloadBytes, faults } = this.#options;
    const { message, cutBytes } = limited(asked, line, maxPayloadBytes);
    if (cutBytes === undefined) return asked;
    faults.cut("a question", cutBytes);
    return message ?? { ...asked, input: { truncated: truncationMarker(cutBytes) } };
  }

  async #ask(asked: ToolQuestion, how: Asked, line: string | undefined): Promise<PermissionResult> {
    const { state, ledger, onAsked, onAnswered } = this.#options;
    this.#asked.set(how.requestId, asked);
    const answering = ledger.ask(this.#shown(asked, line), how);
    state.asks(asked.tool_name);
    onAsked();
    const answer = await answering;
    this.#asked.delete(how.requestId);
    state.answered();
    if (ledger.open.length === 0) onAnswered();
    return answer;
  }
}

/** The request in which a call arrived, and its line if that is kept. */
type Arrival = Pick<Asked, "requestId" | "line">;

/** The line of a request, to be stored with the resulting event. */
function lineOf(request: PlannedCall | Elicited, { requestId, line }: Arrival): { readonly line?: string } {
  return line === undefined
    ? {}
    : { line: rawLine({ type: "control_request", request_id: requestId, request }, line) };
}

const before = (
  permissionDecision: "allow" | "deny" | "ask",
  permissionDecisionReason: string,
): HookOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason },
});
const UNCHANGEABLE = before(
  "deny",
  "A user allowed a changed call, but this version of the agent can't change calls: make the call as they changed it.",
);

/** How much of a call is summarized for the audit log, which stores even less. */
const MAX_NOTED_CHARS = 4000;

/** The answer of the rules; undefined if the question has to be asked. No rule answers for the user. */
function byRule(
  { tool_name: name }: PlannedCall,
  { behavior, reason }: RuleDecision,
): PermissionResult | undefined {
  if (behavior === "allow") return name === ASK_USER || name === ELICITATION ? undefined : { behavior };
  return behavior === "deny" ? { behavior, message: `This call is ${reason}.` } : undefined;
}

/** A call with the agent's reason for asking, if it asks. */
type JudgedCall = PlannedCall & Pick<ToolQuestion, "decision_reason_type">;

/** No allow rule answers a question of plan mode, and only one that names what a safety check stops answers that question. */
function mayAnswer(rule: GivenRule, call: JudgedCall, mode: string): boolean {
  if (rule.behavior !== "allow") return true;
  if (call.decision_reason_type === "mode") return mode !== "plan";
  return call.decision_reason_type !== "safetyCheck" || isNamedIn(rule, call);
}

/** Whether a rule has exactly the command of a call, or the hidden folder or file that its path leads to. */
function isNamedIn({ rule: { content } }: GivenRule, { input }: PlannedCall): boolean {
  if (content === undefined) return false;
  if (typeof input.command === "string") return content === input.command;
  const path = input.file_path ?? input.notebook_path;
  const hidden = typeof path === "string" && path.split("/").findLast((part) => /^\.[^.]/.test(part));
  return typeof hidden === "string" && content.split("/").includes(hidden);
}

const dispositionOf = ({ behavior }: Pick<RuleDecision, "behavior">) =>
  behavior === "allow" ? Disposition.ALLOWED : Disposition.DENIED;

function settlementBy(asked: ToolQuestion, verdict: RuleDecision): Settlement | undefined {
  const answer = byRule(asked, verdict);
  if (!answer) return undefined;
  return {
    disposition: dispositionOf(answer),
    by: "rule",
    answer,
    rule: verdict.rules.map(nameOf).join(", "),
  };
}

/** The decision about a call without a question is stored by call, or by request for old agents, which do not name the call. */
function decidedByRule(
  { tool_use_id: toolUseId }: PlannedCall,
  requestId: string,
  verdict: RuleDecision,
): Draft {
  const disposition = dispositionOf(verdict);
  const rule = verdict.rules.map(nameOf).join(", ");
  const value = { questionId: toolUseId || requestId, disposition, decidedBy: "rule", rule };
  return { body: { case: "permissionDecided", value } };
}
