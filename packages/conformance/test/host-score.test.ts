import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandbox, type Sandbox } from "../src/agent-driver/sandbox.ts";
import { HOST_THEMES, scoreHost } from "../src/host-score/score-host.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await makeSandbox();
});

afterAll(() => sandbox.remove());

/** Start of the code of hosts of a few lines of JavaScript: `agent` is the agent, `send` writes to it, `onLine` receives its lines. */
const PRELUDE = `
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
const task = JSON.parse(process.env.AGENTWIRE_TASK);
const agent = spawn(process.env.AGENTWIRE_AGENT, [], { stdio: ["pipe", "pipe", "inherit"] });
agent.stdin.on("error", () => {});
const send = (value) => agent.stdin.write(JSON.stringify(value) + "\\n");
const prompt = (content) => send({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" });
const onLine = (hear) => createInterface({ input: agent.stdout }).on("line", (line) => hear(JSON.parse(line)));
`;

/** The problems of a host, by scenario. */
async function problemsOf(code: string, ...names: readonly string[]) {
  const file = join(sandbox.root, `${names.join("-")}.mjs`);
  await writeFile(file, PRELUDE + code);
  const themes = HOST_THEMES.map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.filter((scenario) => names.includes(scenario.name)),
  }));
  const command = [process.execPath, file, "{agent}"];
  const outcomes = await scoreHost({ command, environment: process.env, themes, jobs: 2, limitMs: 4000 });
  return Object.fromEntries(
    outcomes.map(({ scenario, hard }) => [scenario, hard.map(({ text }) => text).join("\n")]),
  );
}

const TALKS = `prompt(task.prompts[0]);
onLine((line) => {
  if (line.type !== "result") return;
  console.log(line.result);
  agent.stdin.end();
});`;

describe("the score of a host", { timeout: 60_000 }, () => {
  test("is a match for a minimal host in scenarios that it supports", async () => {
    expect(await problemsOf(TALKS, "prompt", "keep-alive")).toEqual({ prompt: "", "keep-alive": "" });
  });

  test("names what such a host fails to do", async () => {
    const problems = await problemsOf(TALKS, "handshake", "unknown-request", "death", "noise");
    expect(problems.handshake).toMatch(/it never writes .*initialize/);
    expect(problems["unknown-request"]).toMatch(/it does not end\n.*\n.*\nq1 is never answered/);
    expect(problems.death).toBe("the agent failed, but the host reports success");
    expect(problems.noise).toMatch(/exit is 1, not 0/);
  });

  test("names lines that are not messages, and questions that are unanswered or answered twice", async () => {
    const problems = await problemsOf(
      `agent.stdin.write("hello agent\\n"); prompt("go"); agent.stdin.end(); onLine(() => {});`,
      "permission-allow",
    );
    expect(problems["permission-allow"]).toMatch(/it writes "hello agent", which is not a message/);
    expect(problems["permission-allow"]).toMatch(/stdin is closed before q1 is answered/);
    const answered = await problemsOf(
      `prompt("go"); onLine((line) => {
        if (line.type === "control_request")
          for (const behavior of ["allow", "deny"])
            send({ type: "control_response", response: { subtype: "success", request_id: line.request_id, response: { behavior, message: "" } } });
        if (line.type === "result") agent.stdin.end();
      });`,
      "permission-deny",
    );
    expect(answered["permission-deny"]).toMatch(/q1 is answered 2 times/);
  });

  test("names an agent process that outlives the host", async () => {
    const problems = await problemsOf(
      `prompt("go"); onLine((line) => {
        if (line.type === "result") { console.log(line.result); process.exit(0); }
      });`,
      "agent-that-stays",
    );
    expect(problems["agent-that-stays"]).toMatch(/it leaves .*agentwire-scripted-agent.* running/);
  });
});
