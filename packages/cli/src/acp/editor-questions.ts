import type { Question } from "@agentwire/api";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseRule, printRule, ruleFromValue, ruleToValue } from "@agentwire/protocol/permission";
import { after } from "@agentwire/protocol/support";
import { printElicitation, shortId } from "../render/question-line.ts";
import type { Client } from "../talk/client.ts";
import { reasonOf } from "../talk/rpc-error.ts";

/** What the questions of a session need of its bridge. */
interface QuestionsOptions {
  readonly client: Client;
  /** Says something in the words of the agent's own wire. */
  readonly say: (message: JsonObject) => void;
  /** Shows the editor's user a text. */
  readonly show: (text: string) => void;
}

/** How often a form is shown again whose content was refused. */
const MAX_TRIES = 3;
/** How long a form that the editor can't show waits for an answer from elsewhere. */
const ELSEWHERE_MS = 300_000;

interface Asked {
  readonly question: Question;
  readonly tries: number;
  /** Ends the wait for an answer from elsewhere. */
  readonly stop?: () => void;
}

/** The open questions of a session, as its editor is asked them; the first answer counts, wherever it is given. */
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

  /** Somebody has answered, or nobody can any more. */
  settled(id: string): void {
    this.#asked.get(id)?.stop?.();
    this.#asked.delete(id);
    this.#options.say({ type: "control_cancel_request", request_id: id });
  }

  /** The editor has left. */
  close(): void {
    for (const { stop } of this.#asked.values()) stop?.();
    this.#asked.clear();
  }

  /** The editor's answer, which may come too late. */
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

  /** Passes a form on; one that is refused is shown again with the reason. */
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

  /** An editor without forms: people can answer in another client, for a while. */
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

/** Somebody else was first, or the daemon is gone: the session itself says so. */
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

/** What the user has said to the agent's questions; undefined where it is a permission. */
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
