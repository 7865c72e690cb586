import type { Question } from "@agentwire/api";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseRule, printRule, ruleFromValue, ruleToValue } from "@agentwire/protocol/permission";
import { after } from "@agentwire/protocol/support";
import { printElicitation, shortId } from "../render/question-line.ts";
import type { Client } from "../talk/client.ts";
import { reasonOf } from "../talk/rpc-error.ts";

/** What the questions of a session need from its bridge. */
interface QuestionsOptions {
  readonly client: Client;
  /** Sends a message in the format of the agent's own wire. */
  readonly say: (message: JsonObject) => void;
  /** Shows a text to the editor's user. */
  readonly show: (text: string) => void;
}

/** How many times a form is shown if its content is rejected. */
const MAX_TRIES = 3;
/** How long a form that the editor can't show waits for an answer from another client. */
const ELSEWHERE_MS = 300_000;

interface Asked {
  readonly question: Question;
  readonly tries: number;
  /** Ends the wait for an answer from another client. */
  readonly stop?: () => void;
}

/** Asks an editor the open questions of a session; the first answer counts, whichever client gives it. */
export class EditorQuestions {
  readonly #options: QuestionsOptions;
  readonly #asked = new Map<string, Asked>();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  ask(question: Question, tries = 1, complaint = ""): void {
    this.#asked.set(question.id, { question, tries });
    const request = question.elicitation ? elicitation(question, complaint) : permission(question);
    this.#options.say({ type: "control_request", request_id: question.id, request });
  }

  /** The question was answered or can no longer be. */
  settled(id: string): void {
    this.#asked.get(id)?.stop?.();
    this.#asked.delete(id);
    this.#options.say({ type: "control_cancel_request", request_id: id });
  }

  /** The editor has disconnected. */
  close(): void {
    for (const { stop } of this.#asked.values()) stop?.();
    this.#asked.clear();
  }

  /** Handles the editor's answer, which may arrive too late. */
  async answered(response: JsonObject): Promise<void> {
    const asked = this.#asked.get(String(response.request_id));
    if (!asked) return;
    const { questions } = this.#options.client;
    const { id: questionId, elicitation: isForm } = asked.question;
    const answer = isJsonObject(response.response) ? response.response : {};
    if (isForm && response.subtype === "error") this.#elsewhere(asked);
    else if (isForm && answer.action === "accept") await this.#fillIn(asked, answer.content);
    else if (isForm) await this.#decline(questionId, answer.action === "cancel");
    else if (answersOf(answer))
      await questions.answer({ questionId, answers: answersOf(answer) ?? {} }).catch(ignore);
    else await questions.decide({ questionId, decision: decisionOf(answer) }).catch(ignore);
  }

  /** Submits a form; if it is rejected, shows it again with the reason. */
  async #fillIn({ question, tries }: Asked, content: unknown): Promise<void> {
    const contentJson = JSON.stringify(content ?? {});
    try {
      await this.#options.client.questions.answer({ questionId: question.id, contentJson });
    } catch (error) {
      if (!this.#asked.has(question.id)) return;
      if (tries < MAX_TRIES) this.ask(question, tries + 1, reasonOf(error));
      else await this.#decline(question.id, false);
    }
  }

  /** For an editor without forms: waits a while for an answer in another client. */
  #elsewhere({ question, tries }: Asked): void {
    const { id, elicitation: asks } = question;
    if (!asks) return;
    const words = question.userQuestions.map(({ header }) => `'${header}'`).join(" ");
    this.#options.show(
      `${printElicitation(asks)}\nThis editor can't show the form. Answer in the console, or with: agentwire questions answer ${shortId(id)} ${words}\n`,
    );
    const stop = after(ELSEWHERE_MS, () => void this.#decline(id, false));
    this.#asked.set(id, { question, tries, stop });
  }

  async #decline(questionId: string, stop: boolean): Promise<void> {
    const decision = { case: "deny", value: { message: "The user declined to answer.", stop } } as const;
    await this.#options.client.questions.decide({ questionId, decision }).catch(ignore);
  }
}

/** Another client answered first, or the daemon is gone; the session's events report either. */
const ignore = () => {};

function elicitation({ inputJson }: Question, complaint: string): JsonObject {
  const asked = JSON.parse(inputJson) as JsonObject;
  const message = complaint === "" ? asked.message : `${complaint}. ${String(asked.message)}`;
  return { ...asked, subtype: "elicitation", message };
}

function permission({ toolName, inputJson, toolUseId, suggestedRules }: Question): JsonObject {
  const rules = suggestedRules.flatMap((text) => {
    const read = parseRule(text);
    return read.ok ? [ruleToValue(read.rule)] : [];
  });
  return {
    subtype: "can_use_tool",
    tool_name: toolName,
    input: JSON.parse(inputJson || "{}"),
    tool_use_id: toolUseId,
    ...(rules.length > 0 && {
      permission_suggestions: [{ type: "addRules", rules, behavior: "allow", destination: "session" }],
    }),
  };
}

/** The user's answers to the agent's questions; undefined for a permission. */
function answersOf({ updatedInput }: JsonObject): Record<string, string> | undefined {
  const answers = isJsonObject(updatedInput) ? updatedInput.answers : undefined;
  return isJsonObject(answers) ? (answers as Record<string, string>) : undefined;
}

function decisionOf(answer: JsonObject) {
  if (answer.behavior !== "allow") {
    const value = { message: String(answer.message ?? ""), stop: answer.interrupt === true };
    return { case: "deny", value } as const;
  }
  const [update] = (answer.updatedPermissions ?? []) as readonly { rules?: readonly JsonObject[] }[];
  const [rule] = update?.rules ?? [];
  const lasting = rule && { case: "sessionRule" as const, value: printRule(ruleFromValue(rule as never)) };
  return { case: "allow", value: lasting ? { lasting } : {} } as const;
}
