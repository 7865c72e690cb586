import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseModel } from "../../src/model/choose-model.ts";

test.each([
  [{}, "offline"],
  [{ apiKey: "", authToken: "", baseUrl: "", script: "" }, "offline"],
  [{ apiKey: "key" }, "anthropic"],
  [{ authToken: "token" }, "anthropic"],
  [{ baseUrl: "http://127.0.0.1:1" }, "anthropic"],
])("%j selects the %s model", async (sources, kind) => {
  expect((await chooseModel(sources)).kind).toBe(kind);
});

test("a script takes precedence over everything else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "choose-"));
  try {
    const script = join(folder, "script.json");
    await writeFile(script, '{"steps":[]}');
    expect((await chooseModel({ script, apiKey: "key" })).kind).toBe("scripted");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a missing script is an error instead of another model", async () => {
  await expect(chooseModel({ script: join(tmpdir(), "no such script.json"), apiKey: "key" })).rejects.toThrow(
    "can't be read",
  );
});
