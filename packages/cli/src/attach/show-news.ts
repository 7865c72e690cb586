import { collectQuestions, EventSchema, type News, type Question } from "@agentwire/api";
import type { OpenQuestions } from "../ask/open-questions.ts";
import { aside, type Outputs, put } from "../output.ts";
import { EventPrinter } from "../render/event-printer.ts";
import type { Style } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { jsonLine } from "../talk/json.ts";
import { isGone } from "../talk/rpc-error.ts";
import type { InputRequests } from "./input-requests.ts";

/** Shows news of a session. */
export type ShowNews = (news: News) => Promise<void>;

/** Writes events for programs, one line of JSON each, and nothing else. */
export function jsonNews(stdout: { write(text: string): unknown }): ShowNews {
  return async (news) => {
    if (news.type === "events") for (const event of news.events) stdout.write(jsonLine(EventSchema, event));
  };
}

/** What printing news needs, and who else receives it. */
export interface PrintedNewsOptions {
  readonly client: Client;
  readonly sessionId: string;
  readonly outputs: Outputs;
  readonly style: Style;
  readonly questions: OpenQuestions;
  readonly requests: InputRequests;
  /** Called once all stored events have been shown. */
  readonly onCaughtUp: () => void;
}

/** Prints news for people. */
export function printedNews(options: PrintedNewsOptions): ShowNews {
  const { client, sessionId, outputs, style, questions, requests, onCaughtUp } = options;
  const printer = new EventPrinter({ style, prompts: true });
  const warn = (text: string) => put(outputs, [aside(style.yellow(`… ${text}`))]);
  let isLost = false;
  return async (news) => {
    switch (news.type) {
      case "events":
        for (const event of news.events) {
          put(outputs, printer.print(event));
          questions.handle(event);
          requests.handle(event);
        }
        return;
      case "gap":
        return warn(`events ${news.gap.fromSeq} to ${news.gap.toSeq} are no longer stored`);
      case "notice":
        return warn(news.notice.message);
      case "lost":
        isLost = true;
        return warn("lost the daemon; reconnecting (Ctrl-D detaches)");
      case "caught_up":
        if (isLost) put(outputs, [aside(style.dim("(reconnected)"))]);
        isLost = false;
        questions.reset(await openQuestions(client, sessionId));
        return onCaughtUp();
    }
  };
}

/** All open questions, including those older than what is shown; if the connection fails, the next one fetches them. */
async function openQuestions({ questions }: Client, sessionId: string): Promise<readonly Question[]> {
  try {
    return (await collectQuestions(questions, { sessionId })).questions;
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}
