import { redactor } from "@agentwire/protocol/support";
import { expect, test } from "vitest";
import { redactingLog } from "../src/log.ts";

test("a log redacts secrets in texts, fields and errors at any depth", () => {
  const lines: unknown[] = [];
  const note = (...entry: unknown[]) => void lines.push(entry);
  const log = redactingLog(
    { debug: note, info: note, warn: note, error: note },
    redactor(["hunter22hunter"]),
  );
  const cause = new Error("hunter22hunter");
  log.error("it is hunter22hunter", {
    error: new Error("Bearer abcdefghijk", { cause }),
    deep: { list: ["hunter22hunter"] },
  });
  expect(JSON.stringify(lines)).not.toMatch(/hunter22|abcdefghijk/);
  expect(JSON.stringify(lines)).toContain("[redacted]");
});
