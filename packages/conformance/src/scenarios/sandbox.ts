import type { JsonObject } from "@agentwire/protocol";
import type { AgentDriver } from "../agent-driver/driver.ts";
import { calls, says } from "../scripted-api/script.ts";
import { allow, QUESTION } from "./parts.ts";
import type { Scenario, Theme } from "./scenario.ts";
import { commitAll } from "./worktrees.ts";

/** The flags of a session with a sandbox. */
const sandboxed = (more: object = {}) => [
  "--settings",
  JSON.stringify({
    sandbox: { enabled: true, autoAllowBashIfSandboxed: true, failIfUnavailable: true, ...more },
  }),
];

/** Writes inside the project, and tries to write outside of it. */
const WRITE = {
  command: "echo in > in.txt; cat in.txt; echo out > ../out.txt",
  description: "Write two files",
};
const COMMIT = "echo in > in.txt && git add in.txt && git commit -qm inside && git log --format=%s";
const ANN = { NAME: "Ann", EMAIL: "ann@example.com" };
const AS_ANN = Object.fromEntries(
  Object.entries(ANN).flatMap(([key, value]) =>
    ["AUTHOR", "COMMITTER"].map((who) => [`GIT_${who}_${key}`, value]),
  ),
);
const CONNECT = "curl -sS --max-time 20 http://example.test/";
const CONNECT_TWICE = [
  calls("Bash", { command: CONNECT, description: "Connect" }, "toolu_b1"),
  calls("Bash", { command: CONNECT, description: "Connect again" }, "toolu_b2"),
];

/** A turn in which every question about a host gets the same answer. */
const connecting =
  (answer: (agent: AgentDriver, question: JsonObject) => void): Scenario["flow"] =>
  async ({ agent }) => {
    agent.on(QUESTION, (question) => answer(agent, question));
    await agent.turn("connect");
    return undefined;
  };

/** Commands in a sandbox. */
export const sandbox: Theme = {
  name: "sandbox",
  needs: ["bwrap", "socat", "curl"],
  scenarios: [
    {
      name: "sandbox-write",
      about:
        "a command in the sandbox runs without a question and can write inside the project but not outside it",
      args: sandboxed(),
      steps: [calls("Bash", WRITE, "toolu_b1"), says("Done.")],
      flow: async ({ agent, project }) => {
        await agent.turn("write two files");
        return { inside: project.exists("in.txt"), outside: project.exists("../out.txt") };
      },
      expect: { facts: { inside: true, outside: false } },
    },
    {
      name: "sandbox-default",
      about: "with only the sandbox enabled, the agent asks before it runs a command in it",
      args: ["--settings", JSON.stringify({ sandbox: { enabled: true } })],
      steps: [calls("Bash", WRITE, "toolu_b1"), says("Done.")],
      flow: async ({ agent, project }) => {
        agent.prompt("write two files");
        allow(agent, await agent.until(QUESTION));
        await agent.result();
        return { inside: project.exists("in.txt"), outside: project.exists("../out.txt") };
      },
      expect: { facts: { inside: true, outside: false } },
    },
    {
      name: "sandbox-asks",
      about: "without autoAllowBashIfSandboxed the agent asks before it runs a command in the sandbox",
      args: sandboxed({ autoAllowBashIfSandboxed: false }),
      steps: [calls("Bash", WRITE, "toolu_b1"), says("Done.")],
      flow: async ({ agent }) => {
        agent.prompt("write two files");
        allow(agent, await agent.until(QUESTION));
        await agent.result();
        return undefined;
      },
    },
    {
      name: "sandbox-override",
      about:
        "the agent asks before it runs a command outside the sandbox, and runs it there if it is allowed",
      args: sandboxed(),
      steps: [calls("Bash", { ...WRITE, dangerouslyDisableSandbox: true }, "toolu_b1"), says("Done.")],
      flow: async ({ agent, project }) => {
        agent.prompt("write two files");
        allow(agent, await agent.until(QUESTION));
        await agent.result();
        return { outside: project.exists("../out.txt") };
      },
      expect: { facts: { outside: true } },
    },
    {
      name: "sandbox-override-off",
      about:
        "with allowUnsandboxedCommands off, a command meant to run outside the sandbox runs inside it without a question",
      args: sandboxed({ allowUnsandboxedCommands: false }),
      steps: [calls("Bash", { ...WRITE, dangerouslyDisableSandbox: true }, "toolu_b1"), says("Done.")],
      flow: async ({ agent, project }) => {
        await agent.turn("write two files");
        return { outside: project.exists("../out.txt") };
      },
      expect: { facts: { outside: false } },
    },
    {
      name: "sandbox-excluded",
      about: "the agent asks about a command that the settings exclude, and runs it outside the sandbox",
      args: sandboxed({ excludedCommands: ["touch *"] }),
      steps: [
        calls("Bash", { command: "touch ../out.txt", description: "Make a file" }, "toolu_b1"),
        says("Done."),
      ],
      flow: async ({ agent, project }) => {
        agent.prompt("make a file");
        allow(agent, await agent.until(QUESTION));
        await agent.result();
        return { outside: project.exists("../out.txt") };
      },
      expect: { facts: { outside: true } },
    },
    {
      name: "sandbox-host-denied",
      about:
        "the agent asks when a command connects to a host name that is not in the settings; the result lists what was denied",
      args: sandboxed(),
      steps: [calls("Bash", { command: CONNECT, description: "Connect" }, "toolu_b1"), says("Done.")],
      flow: connecting((agent, question) =>
        agent.answer(question, { behavior: "deny", message: "User said no" }),
      ),
    },
    {
      name: "sandbox-host-denied-twice",
      about: "the agent asks again about a host name that was denied",
      args: sandboxed(),
      steps: [...CONNECT_TWICE, says("Done.")],
      flow: connecting((agent, question) =>
        agent.answer(question, { behavior: "deny", message: "User said no" }),
      ),
    },
    {
      name: "sandbox-host-allowed",
      about: "the agent does not ask again about a host name that was allowed",
      args: sandboxed(),
      steps: [...CONNECT_TWICE, says("Done.")],
      flow: connecting(allow),
    },
    {
      name: "sandbox-worktree",
      about:
        "in a worktree, a sandboxed command can commit but cannot change the main checkout or git's configuration",
      args: [...sandboxed(), "--worktree", "wt"],
      env: AS_ANN,
      files: { "a.txt": "one\n" },
      prepare: commitAll,
      steps: [
        calls("Bash", { command: COMMIT, description: "Commit" }, "toolu_b1"),
        calls("Bash", { command: "echo out > ../../../out.txt", description: "Write outside" }, "toolu_b2"),
        calls("Bash", { command: "git config x.y z", description: "Configure" }, "toolu_b3"),
        says("Done."),
      ],
      flow: async ({ agent, project }) => {
        await agent.turn("commit");
        return { outside: project.exists("out.txt") };
      },
      expect: { facts: { outside: false } },
    },
  ],
};
