import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename } from "node:path";
import { at } from "../json-path.ts";
import { says } from "../scripted-api/script.ts";
import { prompts, wrote } from "./parts.ts";
import type { Stage, Theme } from "./scenario.ts";

const SESSION = "11111111-2222-4333-8444-555555555555";

/** A flow of two processes, the second of which resumes the session of the first. */
const resume =
  (...flags: readonly string[]) =>
  async ({ agent, api }: Stage) => {
    const first = await agent.turn("remember 7");
    await agent.close();
    agent.start(["--resume", String(first.session_id), ...flags]);
    const second = await agent.turn("what was it?");
    return {
      sameSession: first.session_id === second.session_id,
      historySent: api.sent(1, "Remembered: 7.") && api.sent(1, "remember 7"),
    };
  };

/** Sessions that outlive a process. */
export const sessions: Theme = {
  name: "sessions",
  scenarios: [
    {
      name: "resume-session",
      about: "--resume sends the history to the API but not to the host, and keeps the session id",
      steps: [says("Remembered: 7."), says("It was 7.")],
      flow: resume(),
      expect: { exits: [0, 0], facts: { sameSession: true, historySent: true } },
    },
    {
      name: "fork-session",
      about: "--fork-session continues the history under a new session id",
      steps: [says("Remembered: 7."), says("It was 7.")],
      flow: resume("--fork-session"),
      expect: { exits: [0, 0], facts: { sameSession: false, historySent: true } },
    },
    {
      name: "resume-missing-session",
      about: "resuming a session that does not exist gives an error result without an init",
      args: ["--resume", SESSION],
      steps: [says("?")],
      flow: prompts("hi"),
      expect: { exits: [1] },
    },
    {
      name: "session-id-given",
      about: "the host can choose the session id with --session-id",
      args: ["--session-id", SESSION],
      steps: [says("ok")],
      flow: async ({ agent }) => {
        const result = await agent.turn("hi");
        return { session: result.session_id };
      },
      expect: { facts: { session: SESSION } },
    },
    {
      name: "no-session-persistence",
      about: "--no-session-persistence writes no session file",
      args: ["--no-session-persistence"],
      steps: [says("ok")],
      flow: async ({ agent, project }) => {
        await agent.turn("hi");
        await agent.close();
        return { sessionFiles: project.sessionFiles().length };
      },
      expect: { facts: { sessionFiles: 0 } },
    },
    {
      name: "session-file",
      about:
        "the session is a file in the home folder, named after its id, that contains the prompt with the host's uuid and the reply",
      steps: [says("ok")],
      flow: async ({ agent, project }) => {
        const uuid = randomUUID();
        const result = await agent.turn("hi", { uuid });
        await agent.close();
        const [file, ...others] = project.sessionFiles();
        const lines = file === undefined ? [] : readFileSync(file, "utf8").trim().split("\n").map(parse);
        return {
          namedBySession: file !== undefined && basename(file) === `${result.session_id}.jsonl`,
          others: others.length,
          hasPrompt: lines.some((line) => at(line, "type") === "user" && at(line, "uuid") === uuid),
          hasAnswer: lines.some((line) => at(line, "type") === "assistant"),
        };
      },
      expect: { facts: { namedBySession: true, others: 0, hasPrompt: true, hasAnswer: true } },
    },
    {
      name: "session-writes-lost",
      about: "a full disk does not affect the turn; at the end the agent reports that writes were lost",
      steps: [says("one"), says("two")],
      flow: async ({ agent, project }) => {
        await agent.turn("a");
        for (const file of project.sessionFiles()) {
          rmSync(file);
          symlinkSync("/dev/full", file);
        }
        await agent.turn("b");
        await agent.close();
        const line = { type: "system", subtype: "session_writes_lost", error_code: "ENOSPC" };
        return { lossTold: wrote(agent, line) };
      },
      expect: { facts: { lossTold: true } },
    },
  ],
};

const parse = (line: string): unknown => JSON.parse(line);
