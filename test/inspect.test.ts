import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const INSPECT = fileURLToPath(new URL("../examples/inspect.mjs", import.meta.url));

test("inspect reports every repair in full, however many there are", () => {
  const input = '{"type":"result","subtype":"success","usage":{"input_tokens":"7"}}\n';
  const { stdout } = spawnSync(process.execPath, [INSPECT, "-"], { input, encoding: "utf8" });
  const repairs = stdout.split("\n").filter((line) => line.startsWith("  repaired result"));
  expect(repairs.map((line) => line.split(/ +/).slice(3).join(" "))).toEqual(
    expect.arrayContaining(["is_error defaulted", "usage.input_tokens coerced", "session_id defaulted"]),
  );
});
