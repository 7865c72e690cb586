import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentDriver } from "../src/agent-driver/driver.ts";
import { makeSandbox, type Sandbox } from "../src/agent-driver/sandbox.ts";

/** A driver with an agent of a few lines of JavaScript. */
export interface FakeAgent {
  readonly agent: AgentDriver;
  readonly sandbox: Sandbox;
  readonly abort: (reason: string) => void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Start of the code of agents that answer lines: `reply` is called with each line of stdin, and `say` writes a line. */
const PRELUDE = `
import { createInterface } from "node:readline";
const say = (value) => console.log(typeof value === "string" ? value : JSON.stringify(value));
const onLine = (reply) => createInterface({ input: process.stdin }).on("line", (line) => reply(JSON.parse(line)));
`;

/** Writes a program into a sandbox; returns the command that runs it. */
export async function writeAgent(sandbox: Sandbox, code: string): Promise<readonly string[]> {
  const file = join(sandbox.root, "agent.mjs");
  await writeFile(file, PRELUDE + code);
  return [process.execPath, file];
}

/** Starts an agent with this code. */
export async function startFakeAgent(code: string): Promise<FakeAgent> {
  const sandbox = await makeSandbox();
  const controller = new AbortController();
  const agent = new AgentDriver({
    command: await writeAgent(sandbox, code),
    args: [],
    cwd: sandbox.cwd,
    env: { PATH: process.env.PATH ?? "" },
    signal: controller.signal,
  });
  agent.start();
  return {
    agent,
    sandbox,
    abort: (reason) => controller.abort(reason),
    async [Symbol.asyncDispose]() {
      await agent.dispose();
      await sandbox.remove();
    },
  };
}
