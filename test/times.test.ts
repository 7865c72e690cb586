import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RANDOM } from "./times.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

test("the soak runs every test file that calls times()", () => {
  const files = readdirSync(`${ROOT}packages`).flatMap((name) =>
    readdirSync(`${ROOT}packages/${name}/test`, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts"))
      .map((path) => `packages/${name}/test/${path}`),
  );
  const using = files.filter((path) => readFileSync(`${ROOT}${path}`, "utf8").includes('/test/times.ts"'));
  expect(using.toSorted()).toEqual(RANDOM);
});
