import type { Options } from "../sdk/options.ts";

/** The system prompt as an agent is told about it. */
export interface SystemPrompt {
  /** Replaces the agent's own prompt; undefined keeps that one. */
  readonly replace?: readonly string[];
  readonly append?: string;
  readonly excludeDynamicSections?: boolean;
  readonly snapshot?: boolean;
}

/** Reads the `systemPrompt` option; none at all means an empty prompt, as with the official SDK. */
export function systemPromptOf({ systemPrompt }: Options): SystemPrompt {
  if (systemPrompt === undefined) return { replace: [""] };
  if (typeof systemPrompt === "string") return { replace: [systemPrompt] };
  if (Array.isArray(systemPrompt)) return { replace: systemPrompt };
  const { snapshot } = systemPrompt;
  const kept = snapshot === undefined ? {} : { snapshot };
  if (systemPrompt.type === "custom") {
    const { prompt } = systemPrompt;
    return { replace: typeof prompt === "string" ? [prompt] : prompt, ...kept };
  }
  const { append, excludeDynamicSections } = systemPrompt;
  return {
    ...(append !== undefined && { append }),
    ...(excludeDynamicSections !== undefined && { excludeDynamicSections }),
    ...kept,
  };
}
