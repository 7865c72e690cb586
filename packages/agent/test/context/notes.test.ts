import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ScriptReply } from "@agentwire/models/script";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

async function put(place: Place, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(place.cwd, name)), { recursive: true });
    await writeFile(join(place.cwd, name), text);
  }
}

const read = (name: string): ScriptReply => ({
  content: [{ type: "tool_use", name: "Read", input: { file_path: name } }],
});

/** Runs a turn and returns the last request to the model. */
async function sent(place: Place, steps: readonly ScriptReply[]): Promise<string> {
  const api = await newApi({ steps, whenExhausted: { text: "done" } });
  const agent = openAgent(place, { env: api.env });
  agent.send(prompt("go"));
  await agent.line(isResult);
  return JSON.stringify(api.requests.at(-1)?.body);
}

describe("the project's notes", { timeout: 30_000 }, () => {
  test("in a subfolder are read once, with the first file read there", async () => {
    const place = await newPlace();
    await put(place, {
      "CLAUDE.md": "At the top.",
      "lib/CLAUDE.md": "In lib, see @more.md",
      "lib/more.md": "More of lib.",
      "lib/deep/CLAUDE.md": "Deep down.",
      "lib/deep/a.txt": "a",
      "lib/b.txt": "b",
      "other/CLAUDE.md": "Elsewhere.",
    });
    const body = await sent(place, [read("lib/deep/a.txt"), read("lib/b.txt"), read("lib/deep/a.txt")]);
    for (const note of ["At the top.", "In lib", "More of lib.", "Deep down."])
      expect(body.split(note), note).toHaveLength(2);
    expect(body).not.toContain("Elsewhere.");
  });

  test("can't import secrets from outside the project", async () => {
    const place = await newPlace();
    const home = dirname(place.configDir);
    await writeFile(join(home, "secret.key"), "THE SECRET");
    await writeFile(join(home, "habits.md"), "Good habits.");
    await put(place, { "CLAUDE.md": `@~/secret.key @~/habits.md @inside.key`, "inside.key": "Inside." });
    await mkdir(join(place.cwd, "lib"));
    await symlink(join(home, "secret.key"), join(place.cwd, "lib", "CLAUDE.md"));
    await symlink(join(home, "secret.key"), join(place.cwd, "CLAUDE.local.md"));
    await put(place, { "lib/a.txt": "a" });
    const body = await sent(place, [read("lib/a.txt")]);
    expect(body).not.toContain("THE SECRET");
    expect(body).toContain("Good habits.");
    expect(body).toContain("Inside.");
  });
});
