import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as theirs from "@anthropic-ai/claude-agent-sdk/sdk-tools";
import { expect, test } from "vitest";
import { attachBridgeSession } from "../../packages/host/src/bridge.ts";
import { query as browserQuery } from "../../packages/host/src/browser.ts";
import { extractFromBunfs } from "../../packages/host/src/extract.ts";
import type * as ours from "../../packages/host/src/sdk-tools.ts";
import { installOfficialSdk } from "./install.ts";
import type { Fits, Same } from "./same-type.ts";

await installOfficialSdk();

/** The tool inputs that the compiler compares, one by one. A list of two to four items is declared only as a list in our types. */
export type ToolInputs = [
  Fits<Same<ours.AgentInput, theirs.AgentInput>, true>,
  Fits<Same<ours.BashInput, theirs.BashInput>, true>,
  Fits<Same<ours.ExitPlanModeInput, theirs.ExitPlanModeInput>, true>,
  Fits<Same<ours.FileEditInput, theirs.FileEditInput>, true>,
  Fits<Same<ours.FileReadInput, theirs.FileReadInput>, true>,
  Fits<Same<ours.FileWriteInput, theirs.FileWriteInput>, true>,
  Fits<Same<ours.GlobInput, theirs.GlobInput>, true>,
  Fits<Same<ours.GrepInput, theirs.GrepInput>, true>,
  Fits<Same<ours.ListMcpResourcesInput, theirs.ListMcpResourcesInput>, true>,
  Fits<Same<ours.NotebookEditInput, theirs.NotebookEditInput>, true>,
  Fits<Same<ours.ReadMcpResourceInput, theirs.ReadMcpResourceInput>, true>,
  Fits<Same<ours.TaskStopInput, theirs.TaskStopInput>, true>,
  Fits<Same<ours.TodoWriteInput, theirs.TodoWriteInput>, true>,
  Fits<Same<ours.WebFetchInput, theirs.WebFetchInput>, true>,
  Fits<Same<ours.WebSearchInput, theirs.WebSearchInput>, true>,
  Fits<theirs.AskUserQuestionInput["questions"], ours.AskUserQuestionInput["questions"]>,
];

/** The same for the tools' outputs. */
export type ToolOutputs = [
  Fits<Same<ours.AgentOutput, theirs.AgentOutput>, true>,
  Fits<Same<ours.BashOutput, theirs.BashOutput>, true>,
  Fits<Same<ours.EnterPlanModeOutput, theirs.EnterPlanModeOutput>, true>,
  Fits<Same<ours.ExitPlanModeOutput, theirs.ExitPlanModeOutput>, true>,
  Fits<Same<ours.FileEditOutput, theirs.FileEditOutput>, true>,
  Fits<Same<ours.FileReadOutput, theirs.FileReadOutput>, true>,
  Fits<Same<ours.FileWriteOutput, theirs.FileWriteOutput>, true>,
  Fits<Same<ours.GlobOutput, theirs.GlobOutput>, true>,
  Fits<Same<ours.GrepOutput, theirs.GrepOutput>, true>,
  Fits<Same<ours.ListMcpResourcesOutput, theirs.ListMcpResourcesOutput>, true>,
  Fits<Same<ours.McpOutput, theirs.McpOutput>, true>,
  Fits<Same<ours.NotebookEditOutput, theirs.NotebookEditOutput>, true>,
  Fits<Same<ours.ReadMcpResourceOutput, theirs.ReadMcpResourceOutput>, true>,
  Fits<Same<ours.TaskStopOutput, theirs.TaskStopOutput>, true>,
  Fits<Same<ours.TodoWriteOutput, theirs.TodoWriteOutput>, true>,
  Fits<Same<ours.WebFetchOutput, theirs.WebFetchOutput>, true>,
  Fits<Same<ours.WebSearchOutput, theirs.WebSearchOutput>, true>,
  Fits<theirs.AskUserQuestionOutput, ours.AskUserQuestionOutput>,
];

const manifestOf = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const OFFICIAL = manifestOf("node_modules/@anthropic-ai/claude-agent-sdk/package.json");
const OURS = manifestOf("../../packages/host/package.json");

/** What the official browser build exports in addition to its declarations. */
const UNDECLARED = ["CommandMatcher", "FileIndex", "z", "G4_TEXT_ENVELOPE_ARM_PORTED"];

/** Subpaths for other programs of ours; programs written for the official SDK don't need them. */
const OWN_SUBPATHS = ["./agent", "./recorder"];

test("the package has the subpaths of the official one, two additional ones, and the same peers", () => {
  const expected = [...Object.keys(OFFICIAL.exports), ...OWN_SUBPATHS];
  expect(Object.keys(OURS.exports).toSorted()).toEqual(expected.toSorted());
  expect(OURS.peerDependencies).toEqual(OFFICIAL.peerDependencies);
});

test.each(["core", "browser", "bridge", "extract"])(
  "./%s exports every name of the official one",
  async (name) => {
    const file = OFFICIAL.exports[`./${name}`].default;
    const official = await import(`./node_modules/@anthropic-ai/claude-agent-sdk/${file.slice(2)}`);
    const mine = await import(`../../packages/host/src/${name}.ts`);
    expect(Object.keys(official).filter((key) => !(key in mine) && !UNDECLARED.includes(key))).toEqual([]);
  },
);

test("functions of Anthropic's session service are refused with a hint what to use instead", () => {
  for (const refused of [browserQuery, attachBridgeSession])
    expect(refused).toThrow(/daemon.*official package/);
});

test("a path that is not inside a Bun program is returned unchanged", () => {
  const path = join(tmpdir(), "agentwire-not-embedded");
  writeFileSync(path, "");
  expect(extractFromBunfs(path)).toBe(path);
  expect(extractFromBunfs("/$bunfs/claude")).toBe("/$bunfs/claude");
});
