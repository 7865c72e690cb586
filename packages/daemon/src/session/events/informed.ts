import type { Draft } from "../../store/draft.ts";
import { rawBody } from "./raw.ts";

/** A notice to users about an agent, in the form that agents use for their own. */
export function informed(content: string | undefined): readonly Draft[] {
  if (content === undefined) return [];
  const message = { type: "system", subtype: "informational", level: "warning", content };
  return [{ body: rawBody("system", "informational", message) }];
}
