import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { randomUUID } from "../../../../scripts/lean/crypto.mjs";
import { startProgram } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";

/** Records which of Node's modules a process has loaded when it exits. */
const PROBE = `process.on("exit", () => require("node:fs").writeFileSync("loaded.txt", process.moduleLoadList.join("\\n")));`;

test("a plain turn loads no module of Node that it does not need: neither fetch nor encryption, nor what starts programs", async () => {
  const place = await newPlace();
  const { env } = await newApi({ steps: [{ content: [{ type: "text", text: "hello" }] }] });
  const probe = join(place.cwd, "probe.cjs");
  await writeFile(probe, PROBE);
  const child = startProgram(place, {
    args: ["-p", "hi"],
    env: { ...env, NODE_OPTIONS: `--require ${probe}` },
  });
  child.stdin.end();
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(0);
  const loaded = await readFile(join(place.cwd, "loaded.txt"), "utf8");
  expect(loaded).toContain("NativeModule _http_client");
  expect(loaded).not.toMatch(/NativeModule (internal\/deps\/undici|http2|https|zlib)/);
  expect(loaded).not.toMatch(/NativeModule (child_process|crypto|perf_hooks)$/m);
});

test("the ids that need no encryption are random UUIDs", () => {
  const ids = Array.from({ length: 1000 }, randomUUID);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
