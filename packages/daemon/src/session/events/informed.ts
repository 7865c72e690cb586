import type { Draft } from "../../store/draft.ts";
import { rawBody } from "./raw.ts";

/** What users are told of an agent, in the words of an agent that tells it by itself. */
export function informed(content: string | undefined): readonly Draft[] {
  if (content === undefined) return [];
  const message = { type: "system", subtype: "informational", level: "warning", content };
  return [{ body: rawBody("system", "informational", message) }];
}
