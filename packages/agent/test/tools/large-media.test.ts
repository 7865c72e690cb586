import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { holds, isResult, prompt } from "../wire.ts";

const HEADS = { "a.png": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "a.pdf": Buffer.from("%PDF-1.4\n") };

test.each([
  ["a.png", 500_000, { type: "image", file: { base64: "", originalSize: 500_000 } }],
  ["a.pdf", 500_000, { type: "pdf", file: { base64: "", originalSize: 500_000 } }],
  ["a.png", 200_000, { type: "image", file: { base64: expect.stringMatching(/^iVBOR/) } }],
] as const)("%s of %i bytes results in a line of less than a mebibyte", async (name, size, data) => {
  const place = await newPlace();
  const head = HEADS[name];
  await writeFile(join(place.cwd, name), Buffer.concat([head, randomBytes(size - head.length)]));
  const read = { type: "tool_use", name: "Read", input: { file_path: join(place.cwd, name) } };
  const api = await newApi({ steps: [{ content: [read] }, { text: "seen" }] });
  const agent = openAgent(place, { env: api.env });
  agent.send(prompt("look"));
  await agent.line(isResult);
  const line = agent.lines.find(holds("tool_result"));
  expect(line?.tool_use_result).toMatchObject(data);
  expect(JSON.stringify(line).length).toBeLessThan(1024 * 1024);
  expect(JSON.stringify(api.requests[1]?.body.messages).length).toBeGreaterThan(size);
});
