import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { isResult, prompt, request } from "../wire.ts";

/** Everything that the first call of a session contains except the prompt. */
async function firstCall(args: readonly string[], greeting?: Record<string, unknown>, isRepository = false) {
  const place = await newPlace();
  if (isRepository) {
    await mkdir(join(place.cwd, ".git"));
    await writeFile(join(place.cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
  }
  const api = await newApi({ steps: [{ text: "here" }] });
  const agent = openAgent(place, { env: api.env, args: ["--model", "claude-sonnet-4-5", ...args] });
  if (greeting) agent.send(request("hello", "initialize", greeting));
  agent.send(prompt("where are you?"));
  await agent.line(isResult);
  const { system, messages } = api.requests[0]?.body ?? {};
  return { place, system: JSON.stringify(system ?? []), all: JSON.stringify([system, messages]) };
}

describe("the first request describes the environment", { timeout: 30_000 }, () => {
  test.each([
    { what: "with the default prompt", args: [] },
    { what: "with an empty prompt", args: ["--system-prompt", ""] },
    { what: "with a prompt of the host", args: ["--system-prompt", "You are X."], says: "You are X." },
    {
      what: "with text after the default prompt",
      args: ["--append-system-prompt", "Rhyme."],
      says: "Rhyme.",
    },
    { what: "with the empty prompt of initialize", args: [], greeting: { systemPrompt: [""] } },
    { what: "with the prompt of initialize", args: [], greeting: { systemPrompt: ["Be Y."] }, says: "Be Y." },
    { what: "without project files", args: ["--bare", "--system-prompt", ""] },
    { what: "outside the system prompt", args: ["--exclude-dynamic-system-prompt-sections"] },
  ])("$what", async ({ args, greeting, says = "" }) => {
    const { place, all, system } = await firstCall(args, greeting);
    for (const fact of [
      `Working folder: ${place.cwd}`,
      "Git repository: no",
      process.platform,
      "claude-sonnet-4-5",
    ])
      expect(all).toContain(fact);
    expect(all).toMatch(/Today: \d{4}-\d\d-\d\d/);
    expect(system).toContain(says);
  });

  test("including whether the folder is a git repository", async () => {
    expect((await firstCall(["--system-prompt", ""], undefined, true)).all).toContain("Git repository: yes");
  });

  test("even if an empty prompt replaces the default one", async () => {
    expect((await firstCall(["--system-prompt", ""])).all).not.toContain("You are a coding agent");
  });
});
