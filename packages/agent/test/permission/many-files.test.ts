import { expect, test } from "vitest";
import { computingMs } from "../../../../test/computing-time.ts";
import { makeRig, outcome } from "./rig.ts";

/** Generous, for a busy machine. Without a limit each of these takes several seconds there. */
const MOST_MS = 1000;

const many = (name: (index: number) => string) =>
  Array.from({ length: 1900 }, (_, index) => name(index)).join(" ");

test.each([
  ["files", `cat ${many((index) => `f${index}`)}`],
  ["files in deep folders", `cat ${many((index) => `${"a/".repeat(25)}${index}`)}`],
  ["folders above", `cat ${many((index) => `${"../".repeat(15)}${index}`)}`],
  ["files to move", `mv ${many((index) => `f${index}`)} sub`],
])("a command that names many %s is soon asked about", async (_, command) => {
  const rig = await makeRig();
  const began = computingMs();
  expect(await outcome(rig, "Bash", { command })).toBe("ask");
  expect(computingMs() - began).toBeLessThan(MOST_MS);
});

test("a command that names one file many times, or a usual number of files, runs without a question", async () => {
  const rig = await makeRig();
  expect(await outcome(rig, "Bash", { command: `cat ${"a.txt ".repeat(1900)}` })).toBe("allow");
  const some = Array.from({ length: 200 }, (_, index) => `f${index}`).join(" ");
  expect(await outcome(rig, "Bash", { command: `cat ${some}` })).toBe("allow");
});

test.each(["default", "bypassPermissions"] as const)(
  "a command that names a denied file among too many files is denied in mode %s",
  async (mode) => {
    const rig = await makeRig({ mode, allowBypass: true, user: { permissions: { deny: ["Read(.env)"] } } });
    const command = `cat ${many((index) => `f${index}`)} .env`;
    expect(await outcome(rig, "Bash", { command })).toBe("deny");
  },
);
