import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Script, ScriptBlock } from "@agentwire/models/script";
import { onTestFinished } from "vitest";
import type { Place } from "./place.ts";
import { type ApiOptions, type ScriptedApi, startScriptedApi } from "./scripted-api.ts";

/** A Messages API for the current test, with the environment that makes an agent use it. */
export async function newApi(
  options: ApiOptions,
): Promise<ScriptedApi & { readonly env: Readonly<Record<string, string>> }> {
  const api = await startScriptedApi(options);
  onTestFinished(() => api.close());
  return { ...api, env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "test-key" } };
}

/** Writes a script to a place; returns the flags that make the agent play it. */
export async function playing(place: Place, script: Script): Promise<readonly string[]> {
  const path = join(place.cwd, "..", "script.json");
  await writeFile(path, JSON.stringify(script));
  return ["--script", path];
}

/** A call of the Bash tool, as a block of a reply. */
export function bash(command: string, more: { readonly run_in_background?: boolean } = {}): ScriptBlock {
  return { type: "tool_use", name: "Bash", input: { command, description: "Run a command", ...more } };
}

/** The flags that let every tool run without asking. */
export const UNASKED = ["--permission-mode", "bypassPermissions", "--allow-dangerously-skip-permissions"];
/** The flag that sends permission questions to the host. */
export const ASKED = ["--permission-prompt-tool", "stdio"];
/** A command that creates a file and then runs forever, ignoring signals. */
export const STUBBORN = "trap '' TERM INT; touch running; while :; do sleep 60; done";
