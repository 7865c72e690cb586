import type { JsonObject } from "../../json.ts";
import { objectAt, objectsAt, shown, stringAt } from "../spelling.ts";

/** The tool by which an agent asks its user something on the canonical wire. */
export const ASK_TOOL = "AskUserQuestion";

/** How to ask a client something, and what the result means on the canonical wire. */
export interface ClientQuestion {
  readonly method: string;
  readonly params: JsonObject;
  readonly answer: (result: JsonObject) => JsonObject;
}

const DECLINED = { behavior: "deny", message: "The user declined to answer." };

/**
 * Asks the user of a client an agent's questions: with a form if the client supports forms, else a single
 * question as the options of a permission request, which every client shows. Undefined if neither works.
 */
export function askUser(
  request: JsonObject,
  sessionId: string,
  hasForms: boolean,
): ClientQuestion | undefined {
  const input = objectAt(request, "input");
  const questions = objectsAt(input, "questions");
  const answered = (answers: JsonObject) => ({ behavior: "allow", updatedInput: { ...input, answers } });
  if (questions.length === 0) return undefined;
  if (hasForms) return form(request, sessionId, questions, answered);
  const [only, ...more] = questions;
  if (!only || more.length > 0 || only.multiSelect === true) return undefined;
  return choice(request, sessionId, only, answered);
}

type Answered = (answers: JsonObject) => JsonObject;

function form(
  request: JsonObject,
  sessionId: string,
  questions: readonly JsonObject[],
  answered: Answered,
): ClientQuestion {
  const properties = Object.fromEntries(questions.map((question, i) => [`q${i + 1}`, property(question)]));
  const [first] = questions;
  const toolCallId = stringAt(request, "tool_use_id");
  return {
    method: "elicitation/create",
    params: {
      sessionId,
      ...(toolCallId !== undefined && { toolCallId }),
      mode: "form",
      message: questions.length === 1 ? shown(first?.question) : "The agent has some questions",
      requestedSchema: { type: "object", properties, required: Object.keys(properties) },
    },
    answer: (result) => {
      if (result.action !== "accept")
        return result.action === "cancel" ? { ...DECLINED, interrupt: true } : DECLINED;
      const content = objectAt(result, "content");
      const answers = questions.flatMap(({ question }, i) => {
        const given = content[`q${i + 1}`];
        if (given === undefined || given === null) return [];
        return [[shown(question), Array.isArray(given) ? given.join(", ") : String(given)]];
      });
      return answered(Object.fromEntries(answers));
    },
  };
}

function property(question: JsonObject): JsonObject {
  const options = objectsAt(question, "options").map(({ label, description }) => ({
    const: shown(label),
    title:
      typeof description === "string" && description !== ""
        ? `${shown(label)}: ${description}`
        : shown(label),
  }));
  const about = {
    title: stringAt(question, "header") ?? shown(question.question),
    description: shown(question.question),
  };
  return question.multiSelect === true
    ? { type: "array", ...about, items: { anyOf: options } }
    : { type: "string", ...about, oneOf: options };
}

function choice(
  request: JsonObject,
  sessionId: string,
  question: JsonObject,
  answered: Answered,
): ClientQuestion {
  const title = shown(question.question);
  const options = objectsAt(question, "options");
  const text = options.map(({ label, description }) => `- ${shown(label)}: ${shown(description)}`).join("\n");
  return byOptions({
    sessionId,
    toolCallId: stringAt(request, "tool_use_id") ?? "",
    title,
    text: `${title}\n${text}`,
    choices: options.map(({ label }) => ({
      name: shown(label),
      answer: answered({ [title]: shown(label) }),
    })),
    declined: DECLINED,
    cancelled: { ...DECLINED, interrupt: true },
  });
}

/** A question asked as the options of a permission request, which every client shows. */
interface Choosing {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly title: string;
  readonly text: string;
  readonly choices: readonly { readonly name: string; readonly answer: JsonObject }[];
  readonly declined: JsonObject;
  readonly cancelled: JsonObject;
}

/** Asks the user to choose one of several answers, as a permission request. */
export function byOptions(asked: Choosing): ClientQuestion {
  const { sessionId, toolCallId, title, text, choices, declined, cancelled } = asked;
  const options = choices.map(({ name }, i) => ({ optionId: `o${i + 1}`, name, kind: "allow_once" }));
  return {
    method: "session/request_permission",
    params: {
      sessionId,
      toolCall: {
        toolCallId,
        title,
        kind: "other",
        status: "pending",
        content: [{ type: "content", content: { type: "text", text } }],
      },
      options: [...options, { optionId: "no", name: "No answer", kind: "reject_once" }],
    },
    answer: (result) => {
      const { outcome, optionId } = objectAt(result, "outcome");
      if (outcome !== "selected") return cancelled;
      return choices[options.findIndex((option) => option.optionId === optionId)]?.answer ?? declined;
    },
  };
}
