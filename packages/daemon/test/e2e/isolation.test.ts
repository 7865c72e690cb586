import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { check } from "@agentwire/protocol/schema";
import { describe, expect, test } from "vitest";
import { debianProgram } from "../../../../test/debian.ts";
import { makeRange } from "../../../../test/escape/range.ts";
import { TRIES } from "../../../../test/escape/tries.ts";
import { ISOLATION, isolationOf } from "../../src/isolation/isolation-settings.ts";
import { CGROUP2, DelegatedGroup } from "../isolation/delegated-group.ts";
import { type Bench, openBench, type Talk } from "./daemon-bench.ts";

debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
debianProgram("socat", ["/usr/bin/socat"]);

const TURN = fileURLToPath(new URL("isolated-turn.mjs", import.meta.url));

const sandboxed = (settings: object = {}) => {
  const checked = check(ISOLATION, settings);
  if (!checked.ok) throw new Error(`${checked.fault.path}: expected ${checked.fault.expected}`);
  const sandbox = isolationOf(checked.value, "/");
  return sandbox ? { sandbox } : {};
};

/** A turn in which every question is allowed. */
function allowed(talk: Talk, id: string, prompt: string) {
  return talk.turn(id, prompt, async ({ body }) => {
    if (body.case !== "permissionAsked") return;
    const decision = { case: "allow" as const, value: {} };
    await talk.questions.decide({ questionId: body.value.question?.id ?? "", decision });
  });
}

/** The output of a command run by an isolated agent. */
async function said(talk: Talk, id: string, command: string): Promise<string> {
  const turn = await allowed(talk, id, `run \`${command}\``);
  return turn
    .of("toolCallResult")
    .map((result) => result.text)
    .join("\n");
}

const openIsolated = (bench: Bench, settings: object = {}) =>
  bench.open({ agents: [{ name: "agentwire", ...sandboxed(settings) }] });

describe("an isolated agent", { timeout: 60_000 }, () => {
  test("works in its folder and sees nothing else of the user", async () => {
    const bench = openBench();
    const { folder, project } = bench;
    execFileSync("git", ["init", "--quiet", project]);
    // As left behind by a killed daemon.
    writeFileSync(join(project, ".mcp.json"), '{"mcpServers":{}}\n');
    writeFileSync(join(folder, "secret.txt"), "CANARY");
    writeFileSync(
      join(folder, ".gitconfig"),
      "[user]\n\tname = Ann\n\temail = ann@example.com\n[x]\n\tpassword = CANARY\n",
    );
    const talk = await openIsolated(bench);
    const id = await talk.create();
    const seen = await said(
      talk,
      id,
      "echo made > made.txt; ls -a ~ ~/state; cat ~/secret.txt ~/.gitconfig; env",
    );
    expect(seen).toContain("Ann");
    expect(seen).not.toMatch(/CANARY|daemon\.sock|AGENTWIRE_/);
    expect(readFileSync(join(project, "made.txt"), "utf8")).toBe("made\n");
    expect(await said(talk, id, "git status --short")).toBe("?? made.txt");
    const { session } = await talk.sessions.createSession({ cwd: folder });
    expect((await talk.turn(session?.id ?? "", "run `ls`")).of("error")).toMatchObject([
      { code: "sandbox_unavailable", message: expect.stringContaining("could change everything in") },
    ]);
    await talk.running.stop();
    expect(readdirSync(project).sort()).toEqual([".git", "made.txt"]);
    expect(existsSync(join(folder, ".claude/settings.json"))).toBe(false);
  });

  test("can commit in a worktree", async () => {
    const bench = openBench();
    const { project } = bench;
    const git = (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: project, encoding: "utf8" }).trimEnd();
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "Ann");
    git("config", "user.email", "ann@example.com");
    git("commit", "--quiet", "--allow-empty", "--message=first");
    const talk = await openIsolated(bench);
    const { session } = await talk.sessions.createSession({ cwd: project, worktree: { name: "task" } });
    await said(
      talk,
      session?.id ?? "",
      "echo x > x.txt && git add -A && git commit -qm inside; touch ../../../x",
    );
    expect(git("log", "--format=%s", session?.worktree?.branch ?? "")).toBe("inside\nfirst");
    expect(git("show", "--name-only", "--format=", session?.worktree?.branch ?? "")).toBe("x.txt");
    expect(existsSync(join(project, "x"))).toBe(false);
  });

  test("is stopped with a reason when it exceeds a limit", async () => {
    const bench = openBench();
    const agents = [
      { name: "agentwire", ...sandboxed({ limits: { memory_mb: 400, processes: 60 } }) },
      { name: "brief", ...sandboxed({ limits: { cpu_seconds: 2 } }) },
    ];
    const talk = await bench.open({ agents });
    const cases = [
      [
        "agentwire",
        `node -e "const a=[];setInterval(()=>a.push(Buffer.alloc(5e7,1)),20)"`,
        /used \d+ MB of memory, and its sandbox allows 400 MB \(limits\.memory_mb\)/,
      ],
      ["agentwire", "while :; do sleep 60 & done", /ran more than 60 processes, and its sandbox allows 60/],
      ["brief", "while :; do :; done", /used \d+ seconds of CPU time, and its sandbox allows 2/],
    ] as const;
    await Promise.all(
      cases.map(async ([agent, command, reason]) => {
        const { session } = await talk.sessions.createSession({ cwd: bench.project, agent });
        const id = session?.id ?? "";
        const [error] = (await allowed(talk, id, `run \`${command}\``)).of("error");
        expect(error).toMatchObject({ code: "limit_exceeded", message: expect.stringMatching(reason) });
        expect(bench.loggedOf(id)).toContain("warn: an agent died");
      }),
    );
    const details = await talk.health.healthDetails({});
    expect(details.agents[0]?.claudeCode?.message).toMatch(/last limit: The agent was stopped: it /);
  });

  test("is not started if the sandbox is unavailable, and the error names what is missing", async () => {
    const bench = openBench();
    const bin = join(bench.folder, "bin");
    mkdirSync(bin);
    for (const name of ["bash", "prlimit", "socat", "sh", "env"])
      symlinkSync(join("/usr/bin", name), join(bin, name));
    symlinkSync(process.execPath, join(bin, "node"));
    const env = { PATH: bin, HOME: bench.folder, AGENTWIRE_HOME: join(bench.folder, "state") };
    const install = "bwrap is missing; on Debian and Ubuntu install with: apt-get install bubblewrap";
    const isolated = { name: "isolated", ...sandboxed() };
    await expect(bench.open({ env, agents: [isolated] })).rejects.toThrow(install);
    const talk = await bench.open({ env, agents: [{ name: "agentwire" }, isolated] });
    const { session } = await talk.sessions.createSession({ cwd: bench.project, agent: "isolated" });
    const turn = await talk.turn(session?.id ?? "", "run `touch made`");
    expect(turn.of("error")).toMatchObject([
      { code: "sandbox_unavailable", message: expect.stringContaining(install), fatal: true },
    ]);
    expect(existsSync(join(bench.project, "made"))).toBe(false);
  });
});

test("no known escape from an agent's sandbox succeeds", { timeout: 90_000 }, async () => {
  const range = await makeRange();
  const group = CGROUP2 === undefined ? undefined : new DelegatedGroup();
  try {
    const { project, home, temporary, hidden } = range;
    const filesystem = { denyRead: [join(project, ".env"), hidden], denyWrite: [join(project, "locked")] };
    const settings = join(temporary, "settings.json");
    writeFileSync(settings, JSON.stringify({ agents: { agentwire: { sandbox: { filesystem } } } }));
    writeFileSync(join(project, "all.sh"), range.command);
    const turn = [process.execPath, TURN, settings, project, "bash all.sh; echo tried"];
    const enter = '[ -z "$0" ] || echo $$ >"$0/cgroup.procs"; exec "$@"';
    const child = spawn("sh", ["-c", enter, group?.folder ?? "", ...turn], {
      env: { PATH: process.env.PATH, HOME: home, AGENTWIRE_HOME: join(temporary, "state") },
      stdio: ["ignore", "pipe", "inherit", ...Array(5).fill("ignore"), ...range.descriptors],
    });
    const [printed] = await Promise.all([text(child.stdout as never), once(child, "exit")]);
    expect(JSON.parse(printed)).toEqual(["tried"]);
    expect(await range.escaped()).toEqual([]);
    expect(readdirSync(join(project, "results"))).toHaveLength(Object.keys(TRIES).length);
    if (group) {
      expect([...group.seen]).toEqual(expect.arrayContaining(["daemon", "agent-1"]));
      expect(group.groups, "the groups of agents are gone").toEqual(["daemon"]);
    }
  } finally {
    await group?.remove();
    await range.close();
  }
});
