import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { RECORDINGS } from "../../src/recording.ts";
import { type FaultKind, parseFault, withFault } from "../../src/scripted-agent/fault.ts";
import { playScript } from "../../src/scripted-agent/player.ts";
import { parseScript, type Step, stepsOf } from "../../src/scripted-agent/step.ts";
import { readTranscript } from "../../src/transcript.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/agentwire-scripted-agent", import.meta.url));
const PROMPT = { type: "user", message: { role: "user", content: "hello" } };
const RESULT = { type: "result", subtype: "success", is_error: false, result: "hi" };

/** What a scripted agent writes to a host that sends these lines and then closes its input. */
async function talk(steps: readonly Step[], lines: readonly object[]): Promise<readonly unknown[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await playScript(steps, { input, output });
  output.end();
  return (await text(output))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe("a scripted agent", () => {
  test("says its lines after it has heard the line that it waits for", async () => {
    const said = await talk([{ hear: { type: "user" } }, { say: RESULT }], [PROMPT]);
    expect(said).toEqual([RESULT]);
  });

  test("answers a client of the Agent Client Protocol, whose request ids are numbers", async () => {
    const steps: Step[] = [
      { hear: { method: "session/prompt" }, learn: { id: ["id"] } },
      { say: { jsonrpc: "2.0", id: "{{id}}", result: { stopReason: "end_turn" } } },
    ];
    const asks = (id: number, method: string) => ({ jsonrpc: "2.0", id, method, params: {} });
    const lines = [asks(1, "initialize"), asks(2, "session/list"), asks(3, "session/prompt")];
    expect(await talk(steps, lines)).toEqual([
      { jsonrpc: "2.0", id: 1, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } },
      { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "the script has no answer to session/list" } },
      { jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn" } },
    ]);
  });

  test("says nothing to a host that ends its input first", async () => {
    expect(await talk([{ hear: { type: "user" } }, { say: RESULT }], [])).toEqual([]);
  });

  test("waits for lines in the order of its script, not of the host", async () => {
    const steps: Step[] = [
      { hear: { type: "user", message: { content: "second" } } },
      { say: { type: "keep_alive" } },
      { hear: { type: "user", message: { content: "first" } } },
      { say: RESULT },
    ];
    const prompts = ["first", "second"].map((content) => ({ type: "user", message: { content } }));
    expect(await talk(steps, prompts)).toEqual([{ type: "keep_alive" }, RESULT]);
  });

  test("uses values that it has learned from the host's lines", async () => {
    const steps: Step[] = [
      {
        hear: { type: "control_request" },
        learn: { id: ["request_id"], hook: ["request", "hooks", "Stop", 0] },
      },
      { say: { type: "answer", to: "{{id}}", hook: "<{{hook}}>", nothing: "{{other}}" } },
    ];
    const request = { type: "control_request", request_id: "r1", request: { hooks: { Stop: ["h7"] } } };
    expect(await talk(steps, [request])).toEqual([
      { type: "answer", to: "r1", hook: "<h7>", nothing: "{{other}}" },
    ]);
  });

  test("reports every line in both directions to its observer", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const seen: unknown[] = [];
    input.end(`${JSON.stringify(PROMPT)}\nnoise\n`);
    await playScript([{ hear: { type: "user" } }, { say: RESULT }], {
      input,
      output,
      onLine: (dir, line) => void seen.push([dir, line]),
    });
    expect(seen).toEqual(
      expect.arrayContaining([
        ["in", JSON.stringify(PROMPT)],
        ["in", "noise"],
        ["out", `${JSON.stringify(RESULT)}\n`],
        ["in", undefined],
      ]),
    );
  });

  test("refuses a request that its script does not expect, and answers initialize automatically", async () => {
    const requests = ["initialize", "set_model"].map((subtype) => ({
      type: "control_request",
      request_id: subtype,
      request: { subtype },
    }));
    const said = await talk([{ hear: { type: "user" } }, { say: RESULT }], [...requests, PROMPT]);
    expect(said).toMatchObject([
      { response: { subtype: "success", request_id: "initialize" } },
      { response: { subtype: "error", request_id: "set_model" } },
      RESULT,
    ]);
  });

  test("plays a recording to a host that uses other ids", async () => {
    const steps = stepsOf(await readTranscript(new URL("interrupt-mid-stream.jsonl", RECORDINGS)));
    const said = await talk(steps, [
      { ...PROMPT, uuid: "my-prompt" },
      { type: "control_request", request_id: "mine", request: { subtype: "interrupt" } },
    ]);
    expect(said).toContainEqual(
      expect.objectContaining({
        type: "control_response",
        response: expect.objectContaining({ request_id: "mine", subtype: "success" }),
      }),
    );
    expect(said.at(-1)).toMatchObject({ type: "result" });
  });

  test("is silent while frozen, until it is stopped", async () => {
    const stop = new AbortController();
    const output = new PassThrough();
    const input = new PassThrough();
    const playing = playScript([{ freeze: true }, { say: RESULT }], { input, output }, stop.signal);
    input.write(`${JSON.stringify(PROMPT)}\n`);
    setImmediate(() => stop.abort());
    await playing;
    expect(output.read()).toBeNull();
  });
});

describe("a fault", () => {
  const lines: Step[] = [1, 2, 3].map((n) => ({ say: { type: "keep_alive", n } }));
  const cases: [FaultKind, readonly Step[]][] = [
    ["crash", [lines[0], { kill: "SIGKILL" }] as Step[]],
    ["exit", [lines[0], { exit: 3 }] as Step[]],
    ["freeze", [lines[0], { freeze: true }] as Step[]],
    ["noise", [lines[0], { write: expect.stringContaining("not JSON") }, lines[1], lines[2]] as Step[]],
    ["half", [lines[0], { write: '{"type":"keep_' }, { kill: "SIGKILL" }] as Step[]],
    ["swap", [lines[0], lines[2], lines[1]] as Step[]],
    ["drop", [lines[0], lines[2]] as Step[]],
    ["twice", [lines[0], lines[1], lines[1], lines[2]] as Step[]],
  ];

  test.each(cases)("of kind %s happens at its line", (kind, expected) => {
    expect(withFault(lines, { kind, at: 2 })).toEqual(expected);
    expect(withFault(lines, { kind, at: 4 })).toEqual(lines);
  });

  test.each(["crash", "crash@", "crash@0", "boom@1", "toString@1", "crash@1x"])(
    "is rejected if it is written as %s",
    (fault) => {
      expect(() => parseFault(fault)).toThrow("a fault is one of");
    },
  );
});

describe("a script", () => {
  test.each(["nonsense", "{}", "[]", '{"say":1}', '{"hear":{},"say":{}}', '{"exit":-1}'])(
    "with the line %s is rejected",
    (line) => {
      expect(() => parseScript(`\n${line}`)).toThrow("line 2");
    },
  );
});

describe("the program", () => {
  /** Runs it with a script, one prompt and then the end of input. */
  async function run(script: string, env: NodeJS.ProcessEnv = {}) {
    const folder = await mkdtemp(join(tmpdir(), "agentwire-script-"));
    try {
      const file = join(folder, "script.jsonl");
      await writeFile(file, script);
      const child = spawn(process.execPath, [PROGRAM, "--verbose"], {
        env: { ...process.env, AGENTWIRE_SCRIPT: file, ...env },
      });
      child.stdin.on("error", () => {});
      child.stdin.end(`${JSON.stringify(PROMPT)}\n`);
      const exited = once(child, "exit");
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const [code, signal] = await exited;
      return { out, err, code, signal };
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const SCRIPT = `{"hear":{"type":"user"}}\n${JSON.stringify({ say: RESULT })}\n`;

  test("plays the script that the environment names", async () => {
    expect(await run(SCRIPT)).toMatchObject({ out: `${JSON.stringify(RESULT)}\n`, code: 0 });
  });

  test("has the fault that the environment names", async () => {
    const { out, signal } = await run(SCRIPT, { AGENTWIRE_FAULT: "half@1" });
    expect(signal).toBe("SIGKILL");
    expect(out).toBe(JSON.stringify(RESULT).slice(0, out.length));
    expect(out.length).toBeGreaterThan(0);
  });

  test("says what is wrong with a script that it can't play", async () => {
    expect(await run("nonsense")).toMatchObject({
      code: 2,
      err: expect.stringContaining("line 1 is not JSON"),
    });
    expect(await run("", { AGENTWIRE_SCRIPT: "" })).toMatchObject({
      code: 2,
      err: expect.stringContaining("set AGENTWIRE_SCRIPT"),
    });
  });
});
