import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as host from "@agentwire/host";
import { expect, test } from "vitest";
import type { AllHookTypesFit } from "./host-hook-types.test-d.ts";
import type { AllTypesFit } from "./host-types.test-d.ts";
import type { AllValuesFit, StoresFit } from "./host-values.test-d.ts";
import { sdk } from "./official-sdk.ts";

/** The names that the compiler compares; the tests below ensure that none is missing. */
export type Compared = [AllTypesFit, AllHookTypesFit, AllValuesFit, StoresFit];

const textOf = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

const DECLARATIONS = textOf("node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts");
const OUR_INDEX = textOf("../../packages/host/src/index.ts");
const COMPARED = textOf("host-types.test-d.ts") + textOf("host-hook-types.test-d.ts");

/** Exports of the official package without a declaration: no typed program can refer to them. */
const UNDECLARED = [
  "CommandMatcher",
  "DirectConnectError",
  "DirectConnectTransport",
  "FileIndex",
  "parseDirectConnectUrl",
];

const declared = (kinds: string) =>
  [...DECLARATIONS.matchAll(new RegExp(`^export declare (?:${kinds}) (\\w+)`, "gm"))].map(([, name]) => name);

/** The names in the braces of our index, which only re-exports. */
const named = [...OUR_INDEX.matchAll(/\{([^}]*)\}/g)].flatMap(
  ([, names = ""]) => names.match(/\w+(?=\s*(?:,|$))/g) ?? [],
);

/** The names from files that our index re-exports with `*`. */
const whole = [...OUR_INDEX.matchAll(/^export type \* from "\.\/(.+)";$/gm)].flatMap(([, file]) =>
  [...textOf(`../../packages/host/src/${file}`).matchAll(/^export \w+ (\w+)/gm)].map(([, name = ""]) => name),
);

const ours = new Set([...named, ...whole]);

test("every value of the official SDK is exported by ours", () => {
  const missing = Object.keys(sdk).filter((name) => !(name in host));
  expect(missing.toSorted()).toEqual(UNDECLARED);
});

test("every value has the same kind and every list the same entries", () => {
  for (const [name, theirs] of Object.entries(sdk)) {
    if (UNDECLARED.includes(name)) continue;
    const value = (host as Readonly<Record<string, unknown>>)[name];
    expect(typeof value, name).toBe(typeof theirs);
    if (typeof theirs !== "function") expect(value, name).toEqual(theirs);
  }
});

test("every name that the official SDK declares is exported by ours", () => {
  expect(declared("\\w+").filter((name) => !ours.has(name ?? ""))).toEqual([]);
  expect(declared("\\w+").length).toBeGreaterThan(250);
});

test("files that our index re-exports with * export only names that the official SDK declares", () => {
  const official = new Set(declared("\\w+"));
  expect(whole.filter((name) => !official.has(name))).toEqual([]);
  expect(whole.length).toBeGreaterThan(100);
});

test("every type that the official SDK declares is compared with ours", () => {
  const compared = new Set([...COMPARED.matchAll(/^ {2}(\w+): Same</gm)].map(([, name]) => name));
  expect(declared("type|interface").filter((name) => !compared.has(name))).toEqual([]);
});
