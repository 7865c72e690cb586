import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { debianProgram } from "../../../../test/debian.ts";
import { startAgent, startProgram } from "../agent-process.ts";
import { ASKED, bash, playing } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";
import { answer, asks, blocksOf, is, isResult, prompt } from "../wire.ts";

debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
debianProgram("socat", ["/usr/bin/socat"]);

const SERVER = fileURLToPath(new URL("../mcp/programs/stdio-server.mjs", import.meta.url));
const ON = { enabled: true, autoAllowBashIfSandboxed: true, failIfUnavailable: true };

/** Plays commands in a sandboxed agent whose host gives every question the same answer; returns results, questions and leftovers. */
async function play(
  place: Place,
  commands: readonly (string | JsonObject)[],
  {
    sandbox = {},
    behavior = "deny",
    first = "go",
    rest = [{ text: "done" }],
    env = {},
  }: {
    sandbox?: JsonObject;
    behavior?: "allow" | "deny";
    first?: string;
    rest?: readonly JsonObject[];
    env?: Readonly<Record<string, string>>;
  } = {},
) {
  const steps = commands.map((command) => ({
    content: [typeof command === "string" ? bash(command) : { ...bash(""), input: command }],
  }));
  const script = await playing(place, { steps: [...steps, ...rest] });
  const settings = JSON.stringify({ sandbox: { ...ON, ...sandbox } });
  const agent = startAgent(place, { args: [...ASKED, ...script, "--settings", settings], env });
  agent.onLine = (line) => {
    if (asks("can_use_tool")(line)) agent.send(answer(line.request_id, { behavior, message: "no" }));
  };
  agent.send(prompt(first));
  await agent.line(isResult);
  return {
    agent,
    results: agent.lines
      .filter(is("user"))
      .flatMap(({ message }) => blocksOf(message))
      .map(({ content }) => String(content)),
    asked: agent.lines
      .filter(asks("can_use_tool"))
      .map(({ request }) => (isJsonObject(request) ? request : {})),
  };
}

describe("a session with a sandbox", { timeout: 60_000 }, () => {
  test("runs commands inside, asks about a host once and about leaving each time, and leaves no files behind", async () => {
    const place = await newPlace();
    const outside = join(place.cwd, "..", "outside.txt");
    const out = { command: "echo x > ../outside.txt", dangerouslyDisableSandbox: true };
    const { agent, results, asked } = await play(place, [
      `echo in > inside.txt; cat inside.txt; touch ${outside}`,
      "cd sub 2>/dev/null || mkdir sub && cd sub && pwd",
      "pwd; exit 3",
      'curl -sS http://example.test/; curl -sS -x "$FTP_PROXY" http://example.test/; echo "$FTP_PROXY" | sed s/.*://',
      out,
      out,
      "cd .. && git init -q . && git add -A && git -c user.name=n -c user.email=e commit -qm first && git status --short",
    ]);
    expect(results[0]).toMatch(/^Exit code 1\nin\ntouch: .*Read-only file system/);
    expect(results.slice(1, 3)).toEqual([join(place.cwd, "sub"), `Exit code 3\n${join(place.cwd, "sub")}`]);
    expect(results[3], "both protocols reach the proxy through one listener").toMatch(
      /^Connection blocked by network allowlist\ncurl: .*SOCKS5.*\n3128\n<sandbox_violations>\ndeny network-outbound example\.test:80 \(user denied\)\n<\/sandbox_violations>$/,
    );
    expect(asked).toMatchObject([
      { tool_name: "SandboxNetworkAccess", input: { host: "example.test" } },
      { tool_name: "Bash", decision_reason_type: "sandboxOverride" },
      { tool_name: "Bash", decision_reason_type: "sandboxOverride" },
    ]);
    expect(results[6]).toBe("(Bash completed with no output)");
    expect(existsSync(outside)).toBe(false);
    expect(existsSync(join(place.cwd, ".bashrc")), "the runtime's placeholder is removed").toBe(false);
    agent.child.stdin.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    await expectNothingLeft(place);
  });

  test("starts a command only after both ports of the proxy inside are listening", async () => {
    const place = await newPlace();
    const programs = join(place.cwd, "../programs");
    await mkdir(programs);
    const slow = (port: number) =>
      `#!/bin/sh\ncase "$SANDBOX_RUNTIME $1" in "1 TCP-LISTEN:${port}"*) sleep 0.7;; esac\nexec /usr/bin/socat "$@"\n`;
    const socat = (port: number) => writeFile(join(programs, "socat"), slow(port), { mode: 0o755 });
    const env = { PATH: `${programs}:${place.env.PATH}` };

    await socat(3128);
    const shared = await play(place, ["curl -sS http://example.test/"], { env });
    expect(shared.results[0]).toMatch(/^Connection blocked by network allowlist/);
    shared.agent.child.stdin.end();
    await shared.agent.ended();

    await socat(1080);
    const sandbox = { network: { socksProxyPort: 9 } };
    const apart = await play(place, ["bash -c ': </dev/tcp/127.0.0.1/1080' && echo open"], { env, sandbox });
    expect(apart.results[0], "SOCKS has a port of its own").toBe("open");
    apart.agent.child.stdin.end();
    await apart.agent.ended();
  });

  test("runs outside what the settings exclude or the user lets out", async () => {
    const place = await newPlace();
    const { asked } = await play(
      place,
      ["touch ../excluded.txt", { command: "touch ../let-out.txt", dangerouslyDisableSandbox: true }],
      { sandbox: { excludedCommands: ["touch *"] }, behavior: "allow" },
    );
    expect(asked).toHaveLength(2);
    expect(["excluded.txt", "let-out.txt"].map((name) => existsSync(join(place.cwd, "..", name)))).toEqual([
      true,
      true,
    ]);
  });

  test("runs background commands inside, and ends them when it is killed", async () => {
    const place = await newPlace();
    const running = "touch ../outside.txt; touch running; while :; do sleep 0.05; done";
    const { agent } = await play(place, [{ command: running, run_in_background: true }]);
    await place.file("running");
    expect(existsSync(join(place.cwd, "..", "outside.txt"))).toBe(false);
    agent.child.kill("SIGKILL");
    await agent.ended();
    await expectNothingLeft(place, 6000);
  });

  test("runs hooks and MCP servers of the project inside if the settings say so, and commands of prompts always", async () => {
    const place = await newPlace();
    const folder = join(place.cwd, "..");
    const attempt = (name: string) => `touch ${join(folder, `${name}.txt`)}; touch ${name}-ran; `;
    await mkdir(join(place.cwd, ".claude"));
    const hook = { type: "command", command: `${attempt("hook")} cat > hook-input.json` };
    await writeFile(
      join(place.cwd, ".claude/settings.json"),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
    );
    const server = {
      command: "sh",
      args: ["-c", `${attempt("server")} exec "${process.execPath}" "${SERVER}"`],
    };
    await writeFile(join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { own: server } }));
    await mkdir(join(place.cwd, ".claude/commands"));
    await writeFile(
      join(place.cwd, ".claude/commands/try.md"),
      `Look: !\`${attempt("prompt")} printf %s "$0-$ARGUMENTS-$CLAUDECODE" > prompt-said\``,
    );
    await mkdir(join(place.cwd, ".claude/agents"));
    const own = {
      own: { ...server, args: ["-c", `${attempt("agent")} exec "${process.execPath}" "${SERVER}"`] },
    };
    await writeFile(
      join(place.cwd, ".claude/agents/helper.md"),
      `---\nname: helper\ndescription: helps\nmcpServers: ${JSON.stringify([own])}\n---\nHelp.\n`,
    );
    const input = { subagent_type: "helper", description: "Help", prompt: "help" };
    const { agent } = await play(place, ["true"], {
      sandbox: { hooks: "project", mcpServers: "project" },
      first: "/try 'a b' c",
      rest: [
        { content: [{ type: "tool_use", id: "toolu_a", name: "Agent", input }] },
        { text: "helped" },
        { text: "done" },
      ],
    });
    const names = ["hook", "server", "prompt", "agent"];
    await Promise.all(names.map((name) => place.file(`${name}-ran`)));
    expect(names.filter((name) => existsSync(join(folder, `${name}.txt`)))).toEqual([]);
    expect(await readFile(join(place.cwd, "hook-input.json"), "utf8")).toContain('"PreToolUse"');
    expect(await readFile(join(place.cwd, "prompt-said"), "utf8")).toBe("a b-'a b' c-");
    agent.child.stdin.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    await expectNothingLeft(place);
  });

  test("lists its settings and missing programs in /sandbox and in doctor", async () => {
    const place = await newPlace();
    const settings = JSON.stringify({ sandbox: { ...ON, filesystem: { denyRead: ["~/.ssh"] } } });
    const agent = startAgent(place, { args: ["--settings", settings] });
    agent.send(prompt("/sandbox"));
    const { result } = await agent.line(isResult);
    expect(result).toContain("Sandbox: on\nCommands inside: run without a question");
    expect(result).toContain(join(place.env.HOME ?? "", ".ssh"));
    await mkdir(place.configDir, { recursive: true });
    await writeFile(join(place.configDir, "settings.json"), settings);
    const doctor = startProgram(place, { args: ["doctor"], env: { PATH: place.cwd } });
    let said = "";
    doctor.stdout.on("data", (text) => {
      said += text;
    });
    expect(await new Promise((resolve) => doctor.once("close", resolve))).toBe(1);
    expect(said).toContain("- The sandbox enabled in the settings: bwrap, socat are missing");
  });
});
