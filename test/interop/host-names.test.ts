import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as host from "@agentwire/host";
import { expect, test } from "vitest";
import type { AllHookTypesFit } from "./host-hook-types.test-d.ts";
import type { AllTypesFit } from "./host-types.test-d.ts";
import type { AllValuesFit, StoresFit } from "./host-values.test-d.ts";
import { sdk } from "./official-sdk.ts";

/** What the compiler compares; the tests below see to it that nothing is left out. */
export type Compared = [AllTypesFit, AllHookTypesFit, AllValuesFit, StoresFit];

const textOf = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

const DECLARATIONS = textOf("node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts");
const OUR_INDEX = textOf("../../packages/host/src/index.ts");
const COMPARED = textOf("host-types.test-d.ts") + textOf("host-hook-types.test-d.ts");

/** What the official package exports without declaring it: no program can name these with types. */
const UNDECLARED = [
  "CommandMatcher",
  "DirectConnectError",
  "DirectConnectTransport",
  "FileIndex",
  "parseDirectConnectUrl",
];

const declared = (kinds: string) =>
  [...DECLARATIONS.matchAll(new RegExp(`^export declare (?:${kinds}) (\\w+)`, "gm"))].map(([, name]) => name);

/** The names between the braces of our index, which re-exports and declares nothing. */
const named = [...OUR_INDEX.matchAll(/\{([^}]*)\}/g)].flatMap(
  ([, names = ""]) => names.match(/\w+(?=\s*(?:,|$))/g) ?? [],
);

/** The names of the files that our index exports whole. */
const whole = [...OUR_INDEX.matchAll(/^export type \* from "\.\/(.+)";$/gm)].flatMap(([, file]) =>
  [...textOf(`../../packages/host/src/${file}`).matchAll(/^export \w+ (\w+)/gm)].map(([, name = ""]) => name),
);

const ours = new Set([...named, ...whole]);

test("every value of the official SDK is one of ours", () => {
  const missing = Object.keys(sdk).filter((name) => !(name in host));
  expect(missing.toSorted()).toEqual(UNDECLARED);
});

test("every value is of the same kind and every list has the same entries", () => {
  for (const [name, theirs] of Object.entries(sdk)) {
    if (UNDECLARED.includes(name)) continue;
    const value = (host as Readonly<Record<string, unknown>>)[name];
    expect(typeof value, name).toBe(typeof theirs);
    if (typeof theirs !== "function") expect(value, name).toEqual(theirs);
  }
});

test("every name that the official SDK declares is one of ours", () => {
  expect(declared("\\w+").filter((name) => !ours.has(name ?? ""))).toEqual([]);
  expect(declared("\\w+").length).toBeGreaterThan(250);
});

test("a file that our index exports whole holds nothing but names that the official SDK declares", () => {
  const official = new Set(declared("\\w+"));
  expect(whole.filter((name) => !official.has(name))).toEqual([]);
  expect(whole.length).toBeGreaterThan(100);
});

test("every type that the official SDK declares is compared with ours", () => {
  const compared = new Set([...COMPARED.matchAll(/^ {2}(\w+): Same</gm)].map(([, name]) => name));
  expect(declared("type|interface").filter((name) => !compared.has(name))).toEqual([]);
});
