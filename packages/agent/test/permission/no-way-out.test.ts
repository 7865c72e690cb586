import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makePlaces, makeRig, outcome, type Places } from "./rig.ts";

const names = [
  "..",
  ".",
  "sub",
  "way-out",
  "dangling",
  "up",
  "inner",
  "a.txt",
  "new",
  "way-in",
  "outside",
  "project",
];
const path = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join("/"));

test("no write that acceptEdits allows ends up outside the project", {
  timeout: 30_000,
}, async () => {
  const places = makePlaces();
  symlinkSync("..", join(places.project, "sub/up"));
  symlinkSync("../way-out/..", join(places.project, "sub/inner"));
  const rig = await makeRig({ places, mode: "acceptEdits" });
  const untouched = snapshot(places);
  let written = 0;
  const property = fc.asyncProperty(path, async (relative) => {
    if ((await outcome(rig, "Write", { file_path: relative })) !== "allow") return;
    if (write(`${places.project}/${relative}`)) written += 1;
    if (write(join(places.project, relative))) written += 1;
    expect(snapshot(places), relative).toEqual(untouched);
  });
  await fc.assert(property, { numRuns: 500 });
  expect(written).toBeGreaterThan(0);
});

function write(file: string): boolean {
  try {
    writeFileSync(file, "written");
    return true;
  } catch {
    return false;
  }
}

/** All files next to the project. */
function snapshot({ outside, home, output }: Places): readonly string[] {
  return [outside, home, output, join(outside, "..")].flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry) =>
      entry.isFile() ? `${entry.name}: ${readFileSync(join(folder, entry.name), "utf8")}` : entry.name,
    ),
  );
}
