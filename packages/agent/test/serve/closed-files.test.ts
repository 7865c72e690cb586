import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startAgent } from "../agent-process.ts";
import { playing, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

const grep = (input: object) =>
  ({ type: "tool_use", name: "Grep", input: { pattern: "KEY", ...input } }) as const;

test("a search finds nothing in files that may not be read, in all output modes", async () => {
  const place = await newPlace();
  await mkdir(join(place.cwd, "secrets"));
  await writeFile(join(place.cwd, ".env"), "KEY=in-env\n");
  await writeFile(join(place.cwd, "secrets/key"), "KEY=in-secrets\n");
  await writeFile(join(place.cwd, "open.txt"), "KEY=in-the-open\n");
  const flags = await playing(place, {
    steps: [
      { content: [grep({ output_mode: "content" }), grep({ output_mode: "content", "-C": 1 })] },
      { content: [grep({ output_mode: "count" }), grep({}), grep({ path: ".env", output_mode: "content" })] },
      { content: [{ type: "text", text: "done" }] },
    ],
  });
  const denied = ["--disallowedTools", "Read(.env)", "Read(./secrets/**)"];
  const agent = startAgent(place, { args: [...flags, ...UNASKED, ...denied] });
  agent.send(prompt("search"));
  await agent.line(isResult);
  const said = JSON.stringify(agent.lines.filter(({ type }) => type === "user"));
  expect(said).toContain("in-the-open");
  expect(said).not.toContain("in-env");
  expect(said).not.toContain("in-secrets");
  expect(said).not.toContain("secrets/key");
}, 30_000);
