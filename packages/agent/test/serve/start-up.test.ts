import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";

/** Records which of Node's modules a process has loaded when it exits. */
const PROBE = `process.on("exit", () => require("node:fs").writeFileSync("loaded.txt", process.moduleLoadList.join("\\n")));`;

test("a plain turn loads neither fetch nor encryption, which would take longer than everything else", async () => {
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
});
