import {
  type AnswerRequest,
  type DecideRequest,
  Disposition,
  type Question,
  type QuestionService,
  RuleScope,
} from "@agentwire/api";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ServiceImpl } from "@connectrpc/connect";
import { IDENTITY, type Identity, requireScope } from "../access/identity.ts";
import { scopeOfDecision } from "../access/rpc-scopes.ts";
import { covers } from "../access/scope.ts";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { elicitationAnswer } from "../permission/elicitation.ts";
import { evaluate } from "../permission/engine.ts";
import { isExactRule } from "../permission/exact-rule.ts";
import { FormError } from "../permission/form.ts";
import type { Settlement } from "../permission/ledger.ts";
import { isForUser } from "../permission/question.ts";
import { ruleContext } from "../permission/real-paths.ts";
import { callerOf } from "./caller.ts";

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;

/** Lists questions and accepts decisions and answers. */
export function questionService(daemon: Daemon): ServiceImpl<typeof QuestionService> {
  return {
    async listQuestions({ sessionId, includeDecided, pageSize, pageToken }) {
      const limit = Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE);
      const wanted = { sessionId, includeDecided, limit };
      const { questions } = daemon.store;
      const page = await questions.list({ ...wanted, after: Number(pageToken) || 0 });
      const last = page.at(-1)?.place;
      const hasMore =
        last !== undefined && (await questions.list({ ...wanted, after: last, limit: 1 })).length > 0;
      return {
        questions: page.map(({ question }) => question),
        nextPageToken: hasMore ? String(last) : "",
      };
    },
    async decide(request, context) {
      const identity = context.values.get(IDENTITY);
      requireScope(identity, scopeOfDecision(request));
      return decideQuestion(daemon, request, callerOf(context), identity);
    },
    answer: (request, context) => answerQuestion(daemon, request, callerOf(context)),
  };
}

/** Decides a permission question, and saves the rule that comes with it. */
export async function decideQuestion(
  daemon: Daemon,
  { questionId, decision }: DecideRequest,
  by: string,
  { scope }: Identity,
) {
  const question = await mustBeOpenOrDecided(daemon, questionId);
  if (isForUser(question) && decision.case === "allow")
    throw new DaemonError("INVALID_ARGUMENT", "this question is for the user: answer it or deny it");
  if (decision.case === undefined) throw new DaemonError("INVALID_ARGUMENT", "give allow or deny");
  if (decision.case === "deny") {
    const { message, stop } = decision.value;
    return settle(daemon, question, {
      disposition: Disposition.DENIED,
      by,
      answer: {
        behavior: "deny",
        message: message || `${by} does not allow this.`,
        ...(stop && { interrupt: true }),
      },
    });
  }
  const { updatedInputJson, lasting } = decision.value;
  const updatedInput = updatedInputJson === "" ? undefined : objectOf(updatedInputJson);
  if (updatedInput) await mustNotBeDenied(daemon, question, updatedInput);
  if (!covers(scope, "drive")) await mustBeExact(daemon, question, lasting);
  // A late decision has no effect, so it saves no rule.
  const rule =
    question.disposition === Disposition.OPEN ? await keepRule(daemon, question, lasting, by) : undefined;
  const answer = await settle(daemon, question, {
    disposition: Disposition.ALLOWED,
    by,
    answer: { behavior: "allow", ...(updatedInput && { updatedInput }) },
    ...(rule !== undefined && { rule }),
  });
  if (rule !== undefined) await daemon.registry.reconsider();
  return answer;
}

/** Answers a question of the agent to its user. */
export async function answerQuestion(
  daemon: Daemon,
  { questionId, answers, contentJson }: AnswerRequest,
  by: string,
) {
  const question = await mustBeOpenOrDecided(daemon, questionId);
  if (!isForUser(question))
    throw new DaemonError("INVALID_ARGUMENT", "this question asks for permission: allow or deny it");
  if (question.elicitation) {
    const given = contentJson === "" ? undefined : objectOf(contentJson, "content_json");
    const { content, answers: shown } = formAnswer(question, answers, given);
    return settle(daemon, question, {
      disposition: Disposition.ALLOWED,
      by,
      answers: shown,
      answer: { behavior: "allow", updatedInput: content },
    });
  }
  const unanswered = question.userQuestions.filter((asked) => !Object.hasOwn(answers, asked.question));
  if (unanswered.length > 0)
    throw new DaemonError("INVALID_ARGUMENT", `no answer given to: ${unanswered[0]?.question}`);
  return settle(daemon, question, {
    disposition: Disposition.ALLOWED,
    by,
    answers,
    answer: { behavior: "allow", updatedInput: { ...objectOf(question.inputJson), answers } },
  });
}

function formAnswer(
  { inputJson, disposition }: Question,
  answers: AnswerRequest["answers"],
  content: JsonObject | undefined,
) {
  // A late answer has no effect, so it is not validated.
  if (disposition !== Disposition.OPEN) return { content: {}, answers: {} };
  try {
    return elicitationAnswer(inputJson, answers, content);
  } catch (error) {
    if (error instanceof FormError) throw new DaemonError("INVALID_ARGUMENT", error.message);
    throw error;
  }
}

async function settle(daemon: Daemon, question: Question, settlement: Settlement) {
  const session = await daemon.registry.get(question.sessionId);
  const decidedNow = await session.settle(question.id, settlement);
  return { decidedNow, question: (await daemon.store.questions.find(question.id)) ?? question };
}

/** A question that was decided before is not an error; one that has expired is. */
async function mustBeOpenOrDecided({ store }: Daemon, id: string): Promise<Question> {
  const question = await store.questions.find(id);
  if (!question) throw store.failure ?? new DaemonError("QUESTION_NOT_FOUND");
  if (STALE.has(question.disposition)) throw new DaemonError("PERMISSION_STALE");
  return question;
}

const STALE: ReadonlySet<Disposition> = new Set([
  Disposition.TIMED_OUT,
  Disposition.ABORTED,
  Disposition.SUPERSEDED,
  Disposition.ORPHANED,
]);

type Lasting = Extract<DecideRequest["decision"], { case: "allow" }>["value"]["lasting"];

/** A client with the scope `answer` can allow only the exact call, once or for the session. */
async function mustBeExact(
  { registry, config }: Daemon,
  question: Question,
  lasting: Lasting,
): Promise<void> {
  if (lasting.case !== "sessionRule") return;
  const { cwd } = (await registry.get(question.sessionId)).record;
  if (isExactRule(lasting.value, question, { cwd, home: config.home })) return;
  throw new DaemonError(
    "FORBIDDEN",
    `${lasting.value} allows more than this call, which the scope answer does not permit: allow it once, or name the exact command or file`,
  );
}

/** Agents don't ask again about a call that a client has changed. */
async function mustNotBeDenied(
  { registry, rules, config }: Daemon,
  question: Question,
  input: JsonObject,
): Promise<void> {
  const { id, cwd } = (await registry.get(question.sessionId)).record;
  const call = { toolName: question.toolName, input };
  const { behavior, reason } = evaluate(call, rules.covering(id, cwd), ruleContext(call, cwd, config.home));
  if (behavior === "deny") throw new DaemonError("FORBIDDEN", `the changed call is ${reason}`);
}

async function keepRule(daemon: Daemon, { sessionId }: Question, lasting: Lasting, by: string) {
  if (lasting.case === undefined) return undefined;
  const { cwd } = (await daemon.registry.get(sessionId)).record;
  const isSession = lasting.case === "sessionRule";
  const text = lasting.case === "sessionRule" ? lasting.value : lasting.value.rule;
  const isUser = lasting.case === "always" && lasting.value.scope === "user";
  await daemon.rules.set({
    rule: text,
    behavior: "allow",
    scope: isSession ? RuleScope.SESSION : isUser ? RuleScope.USER : RuleScope.PROJECT,
    owner: isSession ? sessionId : isUser ? "" : cwd,
    createdBy: by,
    isGranted: true,
  });
  return text;
}

function objectOf(json: string, name = "updated_input_json"): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    if (isJsonObject(value)) return value;
  } catch {}
  throw new DaemonError("INVALID_ARGUMENT", `${name} is not a JSON object`);
}
