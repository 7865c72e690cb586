import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptBlock } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { expect, test } from "vitest";
import { debianProgram } from "../../../../test/debian.ts";
import { type AgentProcess, startAgent } from "../agent-process.ts";
import { ASKED, bash, playing } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, asks, blocksOf, is, isResult, prompt } from "../wire.ts";

debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
debianProgram("socat", ["/usr/bin/socat"]);

const GUIDE = new URL("../../../../docs/guides/alone.md", import.meta.url);
const GIT = {
  GIT_AUTHOR_NAME: "n",
  GIT_AUTHOR_EMAIL: "e",
  GIT_COMMITTER_NAME: "n",
  GIT_COMMITTER_EMAIL: "e",
};

const call = (name: string, input: JsonObject): ScriptBlock => ({ type: "tool_use", name, input });

/** One round of work on a module: written, inspected, built, tested, changed, committed on a branch and merged. */
function round(cwd: string, n: number): readonly ScriptBlock[] {
  const file = join(cwd, `src/m${n}.mjs`);
  return [
    call("Write", { file_path: file, content: `export const m${n} = () => ${n};\n` }),
    call("Write", {
      file_path: join(cwd, `src/m${n}.test.mjs`),
      content: `import assert from "node:assert";\nimport test from "node:test";\nimport { m${n} } from "./m${n}.mjs";\ntest("m${n}", () => assert.equal(m${n}() % 10, ${n}));\n`,
    }),
    bash(`ls src && git status --short`),
    bash(`git checkout -q -b feature-${n}`),
    bash(`mkdir -p out && cp src/m${n}.mjs out/`),
    bash(`node --check src/m${n}.mjs`),
    bash(`node src/m${n}.test.mjs > out/log-${n}.txt`),
    bash(`git add -A && git commit -qm "Add m${n}"`),
    call("Edit", { file_path: file, old_string: `=> ${n}`, new_string: `=> ${n + 10}` }),
    bash(`node src/m${n}.test.mjs > out/log-${n}.txt && tail -n 3 out/log-${n}.txt`),
    bash(`git commit -qam "Change m${n}"`),
    bash(`git checkout -q main && git merge -q feature-${n} && git log --oneline | head -n 3`),
  ];
}

/** Waits for the result, as long as the session continues to write lines. */
async function resultOf(agent: AgentProcess): Promise<void> {
  for (let from = 0; !agent.lines.slice(from).some(isResult); ) {
    const next = agent.lines.length;
    await agent.line(() => true, next);
    from = next;
  }
}

/** Plays the session with a host that allows everything; returns the number of questions. */
async function questions(settings: JsonObject): Promise<number> {
  const place = await newPlace();
  const rounds = [1, 2, 3, 4].flatMap((n) => round(place.cwd, n));
  const calls = [
    bash("git init -q -b main && printf 'out/\\n' > .gitignore && mkdir src"),
    bash("git add -A && git commit -qm Begin"),
    ...rounds,
    call("Write", {
      file_path: join(place.cwd, "build.mjs"),
      content: 'import fs from "node:fs";\nfs.writeFileSync("out/all.txt", fs.readdirSync("src").join());\n',
    }),
    bash("node build.mjs && cat out/all.txt"),
    bash("node --test src/m4.test.mjs > out/log.txt"),
    call("Grep", { pattern: "export", path: join(place.cwd, "src") }),
    bash("sed -i 's/all/everything/' build.mjs"),
    bash("node build.mjs"),
    bash("git add build.mjs && git commit -qm Build"),
    bash("git tag v1 && git stash list"),
    bash("rm -r out"),
    bash("git status --short"),
  ];
  expect(calls).toHaveLength(60);
  const script = await playing(place, {
    steps: [...calls.map((block) => ({ content: [block] })), { text: "done" }],
  });
  const args = [...ASKED, ...script, "--settings", JSON.stringify(settings)];
  const agent = startAgent(place, { args, env: GIT });
  agent.onLine = (line) => {
    if (asks("can_use_tool")(line)) agent.send(answer(line.request_id, { behavior: "allow" }));
  };
  agent.send(prompt("go"));
  await resultOf(agent);
  const failed = agent.lines
    .filter(is("user"))
    .flatMap(({ message }) => blocksOf(message))
    .filter(({ is_error }) => is_error === true);
  expect(failed).toEqual([]);
  return agent.lines.filter(asks("can_use_tool")).length;
}

test("a session of 60 steps asks no questions in the sandbox, and as many as the guide says without it", {
  timeout: 120_000,
}, async () => {
  const sandbox = { enabled: true, autoAllowBashIfSandboxed: true, failIfUnavailable: true };
  expect(await questions({ sandbox, permissions: { defaultMode: "acceptEdits" } })).toBe(0);
  const asked = await questions({});
  expect(asked).toBeGreaterThanOrEqual(25);
  expect(await readFile(GUIDE, "utf8")).toContain(
    `asks ${asked} times by default and 0 times in the sandbox`,
  );
});
