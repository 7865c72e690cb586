import { Disposition } from "@agentwire/api";
import { type PermissionResult, truncationMarker } from "@agentwire/protocol";
import type { Metrics } from "../metrics/metrics.ts";
import { evaluate, nameOf, type Verdict } from "../permission/engine.ts";
import type { Asked, Ledger, Settlement } from "../permission/ledger.ts";
import { ASK_USER, type ToolQuestion } from "../permission/question.ts";
import { ruleContext } from "../permission/real-paths.ts";
import type { RuleBook } from "../permission/rule-book.ts";
import type { Audit } from "../store/audit-log.ts";
import type { Write } from "../store/write.ts";
import type { Draft } from "./events/draft.ts";
import { limited, rawLine } from "./payload-limit.ts";
import type { Scrutiny } from "./scrutiny.ts";
import type { SessionState } from "./state.ts";

/** What decides the questions of a session. */
export interface GateOptions {
  readonly state: SessionState;
  readonly rules: RuleBook;
  readonly ledger: Ledger;
  readonly home: string;
  readonly audit: Audit;
  readonly scrutiny: Scrutiny;
  readonly metrics: Metrics;
  readonly maxPayloadBytes: number;
  /** No question is open any more. */
  readonly onAnswered: () => void;
}

/** Answers an agent's questions: by a rule where one decides, else by whoever answers first. */
export class Gate {
  readonly #options: GateOptions;
  /** What is being asked, by request: shown questions may have been cut. */
  readonly #asked = new Map<string, ToolQuestion>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  async decide(asked: ToolQuestion, how: Asked): Promise<PermissionResult> {
    const { state, scrutiny, metrics } = this.#options;
    state.tell(scrutiny.asked(asked));
    const raw = how.line === undefined ? {} : { line: rawLine(envelope(asked, how.requestId), how.line) };
    const verdict = this.#verdict(asked);
    const ruled = byRule(asked, verdict);
    if (ruled) {
      state.tell([{ ...decidedByRule(asked, how.requestId, verdict), ...raw }], [this.#note(asked, verdict)]);
      metrics.decided(dispositionOf(ruled), "rule");
    }
    const answer = ruled ?? (await this.#ask(asked, { ...how, ...raw }, how.line));
    // An agent that gets no input back may run the call with none.
    return answer.behavior === "allow" && answer.updatedInput === undefined
      ? { ...answer, updatedInput: asked.input }
      : answer;
  }

  /** The rules have changed: what they decide now is not asked any longer. */
  async reconsider(): Promise<void> {
    await this.#options.ledger.reconsider((requestId) => {
      const asked = this.#asked.get(requestId);
      return asked && settlementBy(asked, this.#verdict(asked));
    });
  }

  #verdict({ tool_name: toolName, input }: ToolQuestion): Verdict {
    const { state, rules, home } = this.#options;
    const { id, cwd } = state.record;
    const call = { toolName, input };
    return evaluate(call, rules.covering(id, cwd), ruleContext(call, cwd, home));
  }

  #note({ tool_name: name, input }: ToolQuestion, { behavior, rules }: Verdict): Write {
    const { state, audit } = this.#options;
    return audit({
      kind: "decision",
      actor: `rule: ${rules.map(nameOf).join(", ")}`,
      action: behavior === "allow" ? "allowed" : "denied",
      subject: state.record.id,
      detail: `${name} ${JSON.stringify(input).slice(0, MAX_NOTED_CHARS)}`,
    });
  }

  /** What is stored and shown of a question that is too long. */
  #shown(asked: ToolQuestion, line: string | undefined): ToolQuestion {
    const { maxPayloadBytes, scrutiny } = this.#options;
    const { message, cutBytes } = limited(asked, line, maxPayloadBytes);
    if (cutBytes === undefined) return asked;
    scrutiny.cut("a question", cutBytes);
    return message ?? { ...asked, input: { truncated: truncationMarker(cutBytes) } };
  }

  async #ask(asked: ToolQuestion, how: Asked, line: string | undefined): Promise<PermissionResult> {
    const { state, ledger, onAnswered } = this.#options;
    this.#asked.set(how.requestId, asked);
    const answering = ledger.ask(this.#shown(asked, line), how);
    state.asks(asked.tool_name);
    const answer = await answering;
    this.#asked.delete(how.requestId);
    state.answered();
    if (ledger.open.length === 0) onAnswered();
    return answer;
  }
}

const envelope = (request: ToolQuestion, request_id: string) => ({
  type: "control_request",
  request_id,
  request,
});

/** How much of a call is looked at for the audit log, which keeps less of it. */
const MAX_NOTED_CHARS = 4000;

/** What the rules answer; nothing where they want somebody asked, and no rule answers for the user. */
function byRule(asked: ToolQuestion, { behavior, reason }: Verdict): PermissionResult | undefined {
  if (asked.tool_name === ASK_USER) return undefined;
  if (behavior === "allow") return { behavior };
  return behavior === "deny" ? { behavior, message: `This call is ${reason}.` } : undefined;
}

const dispositionOf = ({ behavior }: PermissionResult) =>
  behavior === "allow" ? Disposition.ALLOWED : Disposition.DENIED;

function settlementBy(asked: ToolQuestion, verdict: Verdict): Settlement | undefined {
  const answer = byRule(asked, verdict);
  if (!answer) return undefined;
  return {
    disposition: dispositionOf(answer),
    by: "rule",
    answer,
    rule: verdict.rules.map(nameOf).join(", "),
  };
}

/** Nobody was asked, so the decision goes by the call; old agents do not name it, and then by the request. */
function decidedByRule(
  { tool_use_id: toolUseId }: ToolQuestion,
  requestId: string,
  { behavior, rules }: Verdict,
): Draft {
  const disposition = behavior === "allow" ? Disposition.ALLOWED : Disposition.DENIED;
  const rule = rules.map(nameOf).join(", ");
  const value = { questionId: toolUseId || requestId, disposition, decidedBy: "rule", rule };
  return { body: { case: "permissionDecided", value } };
}
