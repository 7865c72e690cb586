import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeSandbox } from "../src/agent-driver/sandbox.ts";
import { printDrift } from "../src/commands/diff.ts";
import { diffContracts } from "../src/drift/diff.ts";
import { makeContract, printContract } from "../src/drift/make-contract.ts";
import type { Transcript } from "../src/transcript.ts";
import { writeAgent } from "./fake-agent.ts";

const PROGRAM = fileURLToPath(new URL("../bin/agentwire-conformance", import.meta.url));

const init = (more: object = {}) => ({
  type: "system",
  subtype: "init",
  session_id: "s",
  tools: ["Read", "Bash"],
  ...more,
});
const answer = (...content: readonly object[]) => ({
  type: "assistant",
  session_id: "s",
  message: { content },
});
const RESULT = { type: "result", subtype: "success", session_id: "s" };
const ask = (id: string, subtype: string) => ({
  type: "control_request",
  request_id: id,
  request: { subtype },
});

const heard = (...lines: readonly object[]): Transcript => lines.map((line) => ({ t: 0, dir: "in", line }));
const said = (...lines: readonly object[]): Transcript => lines.map((line) => ({ t: 0, dir: "out", line }));

const contractOf = (agent: string, ...transcripts: readonly Transcript[]) =>
  makeContract(
    { agent, flags: ["--verbose"], asksHost: true },
    new Map(transcripts.map((transcript, index) => [`scenario-${index}`, transcript])),
  );

describe("a contract", () => {
  test("lists the fields of every kind with their types, and marks optional ones with a question mark", () => {
    const { messages } = contractOf(
      "2.1.325 (Claude Code)",
      said(
        answer({ type: "text", text: "a" }),
        answer({ type: "tool_use", id: "1", input: { made: "up" } }),
        { ...answer(), message: { content: "plain", usage: null } },
      ),
    );
    expect(messages).toEqual({
      assistant: {
        message: "object",
        "message.content": "array | string",
        "message.content[text].text": "string",
        "message.content[text].type": "string",
        "message.content[tool_use].id": "string",
        "message.content[tool_use].input": "object",
        "message.content[tool_use].type": "string",
        "message.usage?": "null",
        session_id: "string",
        type: "string",
      },
    });
  });

  test("lists the answers to requests, and the content of init", () => {
    const contract = contractOf(
      "2.1.325",
      [
        ...heard(
          ask("1", "initialize"),
          ask("2", "make_coffee"),
          ask("3", "make_coffee"),
          ask("4", "interrupt"),
        ),
        ...said(
          {
            type: "control_response",
            response: { subtype: "success", request_id: "1", response: { pid: 1 } },
          },
          { type: "control_response", response: { subtype: "error", request_id: "2", error: "no" } },
          { type: "control_response", response: { subtype: "success", request_id: "3" } },
          init({ capabilities: ["x_v1"] }),
        ),
      ],
      heard({ type: "user" }),
    );
    expect(contract.requests).toEqual({
      initialize: "success",
      interrupt: "no answer",
      make_coffee: "success or error",
    });
    expect(contract.messages["control_response/initialize"]).toEqual({ pid: "number" });
    expect(contract).toMatchObject({
      tools: ["Bash", "Read"],
      capabilities: ["x_v1"],
      silentIn: ["scenario-1"],
    });
  });

  test("says whether each ordering holds always, sometimes or never", () => {
    const inOrder = said(init(), answer({ type: "tool_use", id: "1" }), RESULT);
    const outOfOrder = said(answer(), init(), RESULT, answer());
    const beginning = "a turn begins with system/init";
    expect(contractOf("a", inOrder).orderings[beginning]).toBe("always");
    expect(contractOf("a", inOrder, outOfOrder).orderings[beginning]).toBe("sometimes");
    expect(contractOf("a", outOfOrder).orderings).toMatchObject({
      [beginning]: "never",
      "nothing of the turn comes after its result": "never",
      "idle comes after the result": "not seen",
    });
  });

  test("does not depend on the order of the scenarios", () => {
    const [one, two] = [said(init(), answer()), said(RESULT, init({ agents: [] }))];
    expect(printContract(contractOf("a", one, two))).toBe(printContract(contractOf("a", two, one)));
  });
});

describe("the difference between two contracts", () => {
  const before = contractOf(
    "1.0.128 (Claude Code)",
    said(init({ uuid: "u" }), answer({ type: "text", text: "a" }), RESULT),
  );
  const after = contractOf(
    "2.1.325 (Claude Code)",
    said(
      init({ tools: ["Read"], uuid: null, brand_new: { a: 1 } }),
      { type: "totally_new", x: 1 },
      { ...answer({ type: "text", text: "a" }), session_id: undefined },
    ),
  );

  test("lists what was added, removed and changed, and what our schemas do not name", () => {
    const { changes } = diffContracts(before, after);
    expect(changes).toContainEqual({ how: "removed", what: "tool", name: "Bash" });
    expect(changes).toContainEqual({
      how: "added",
      what: "message",
      name: "totally_new",
      schema: "not named by our schemas",
    });
    expect(changes).toContainEqual({ how: "removed", what: "message", name: "result/success" });
    expect(changes).toContainEqual({
      how: "changed",
      what: "field",
      name: "system/init: uuid",
      before: "string",
      after: "null",
    });
    const fresh = changes.filter(({ name }) => name.startsWith("system/init: brand_new"));
    expect(fresh).toEqual([
      {
        how: "added",
        what: "field",
        name: "system/init: brand_new",
        after: "object",
        schema: "not named by our schemas",
      },
    ]);
  });

  test("names the dialect of each version and what our schemas do not name", () => {
    const drift = diffContracts(before, after);
    expect(drift.before).toMatchObject({ dialect: "claude-v1", tested: true, unnamed: [] });
    expect(drift.after).toMatchObject({
      dialect: "claude",
      unnamed: ["system/init: brand_new", "totally_new"],
    });
    expect(printDrift(drift)).toContain("  + system/init: brand_new: object (not named by our schemas)\n");
    expect(printDrift(drift)).toContain(
      "  1.0.128 (Claude Code): dialect claude-v1; our schemas name everything\n",
    );
  });

  test("is empty for identical contracts", () => {
    expect(diffContracts(after, after).changes).toEqual([]);
  });
});

describe("the program", { timeout: 40_000 }, () => {
  async function run(...args: readonly string[]) {
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const [[code], stdout, stderr] = await Promise.all([
      once(child, "close"),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, stdout, stderr };
  }

  test("records an agent that can't ask its host, and compares the contract with another", async () => {
    const sandbox = await makeSandbox();
    onTestFinished(() => sandbox.remove());
    const command = await writeAgent(
      sandbox,
      `const flags = process.argv.slice(2);
      if (flags.includes("--version")) { say("9.9.9 (Claude Code)"); process.exit(0); }
      if (flags.includes("--help")) { say("  --print  prints\\n  --resume <id>  resumes"); process.exit(0); }
      if (flags.includes("--permission-prompt-tool")) process.exit(1);
      onLine(() => say({ type: "result", subtype: "success", session_id: "s", shiny: true }));`,
    );
    const { code, stdout } = await run("record", "simple-text", "--", ...command);
    expect(code).toBe(0);
    const contract = JSON.parse(stdout);
    expect(contract).toMatchObject({
      agent: "9.9.9 (Claude Code)",
      flags: ["--print", "--resume"],
      asksHost: false,
      messages: { "result/success": { shiny: "boolean" } },
    });
    const [old, current] = [join(sandbox.root, "old.json"), join(sandbox.root, "new.json")];
    await writeFile(old, stdout);
    await writeFile(current, JSON.stringify({ ...contract, flags: ["--print"] }));
    expect(await run("diff", old, old)).toMatchObject({ code: 0 });
    const different = await run("diff", "--json", old, current);
    expect(different.code).toBe(1);
    expect(JSON.parse(different.stdout)).toMatchObject({
      changes: [{ how: "removed", what: "flag", name: "--resume" }],
      after: { unnamed: ["result/success: shiny"], tested: false },
    });
  });

  test("says what is wrong with a contract", async () => {
    expect(await run("diff", PROGRAM, PROGRAM)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not a contract"),
    });
    expect(await run("diff", "only-one")).toMatchObject({ code: 2, stderr: expect.stringContaining("two") });
  });
});
