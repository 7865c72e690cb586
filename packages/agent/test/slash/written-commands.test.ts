import { access, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";

async function talk(
  files: Readonly<Record<string, string>>,
  prompts: readonly string[],
  steps: readonly ScriptStep[] = [],
) {
  const place = await newPlace();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(place.cwd, name)), { recursive: true });
    await writeFile(join(place.cwd, name), text);
  }
  const api = await newApi({ steps, whenExhausted: { text: "done" } });
  const agent = openAgent(place, { env: api.env });
  for (const text of prompts) {
    const from = agent.lines.length;
    agent.send(prompt(text));
    await agent.line(isResult, from);
  }
  return { place, lines: agent.lines, bodies: api.requests.map(({ body }) => body) };
}

const messagesOf = (body: JsonObject | undefined) => JSON.stringify(body?.messages);
const has = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe("a command from a file", { timeout: 30_000 }, () => {
  const body = "all[$ARGUMENTS] 0[$0] 1[$1] 2[$2] long[$ARGUMENTS[0]]";

  test.each([
    { typed: "/c one two", body, says: "all[one two] 0[one] 1[two] 2[$2] long[one]" },
    { typed: "/c 'a b' c", body, says: "all['a b' c] 0[a b] 1[c] 2[$2] long[a b]" },
    { typed: "/c", body, says: "all[] 0[$0] 1[$1] 2[$2] long[$ARGUMENTS[0]]" },
    { typed: "/c now", body: "Do it.", says: "Do it.\n\nARGUMENTS: now" },
    { typed: "/c", body: "Do it.", says: "Do it." },
    { typed: "/c $& $1", body: "[$ARGUMENTS]", says: "[$& $1]" },
  ])("inserts the arguments of $typed into $body", async ({ typed, body, says }) => {
    const { bodies } = await talk({ ".claude/commands/c.md": body }, [typed]);
    expect(messagesOf(bodies[0])).toContain(JSON.stringify(says).slice(1, -1));
  });

  test.each([
    ["/c !`touch ran`", "[$ARGUMENTS] [$0] !`echo out`", "[!`touch ran`] [!`touch] out"],
    ["/c !`touch ran`", "Do it.", "Do it.\n\nARGUMENTS: !`touch ran`"],
    ["/c ;touch ran", "!`echo $ARGUMENTS`", ";touch ran"],
    ["/c '$(touch ran)'", '!`echo "$0" $ARGUMENTS[0]`', "$(touch ran) $(touch ran)"],
    ["/c secret", "!`printf '$AR%s' GUMENTS`", "$ARGUMENTS"],
  ])("treats the arguments of %s as text in %s", async (typed, body, says) => {
    const { place, bodies } = await talk({ ".claude/commands/c.md": body }, [typed]);
    expect(messagesOf(bodies[0])).toContain(JSON.stringify(says).slice(1, -1));
    expect(await has(join(place.cwd, "ran"))).toBe(false);
  });

  test.each([
    [{ deny: ["Bash(touch:*)"] }, "touch ran", ""],
    [{ deny: ["Bash"] }, "touch ran", ""],
    [{ ask: ["Bash(touch:*)"] }, "touch ran", ""],
    [{ deny: ["Bash(touch:*)"] }, "$0 ran", "touch"],
    [{ deny: ["Read(./.env)"] }, "cat .env > ran", ""],
  ])("runs no command that %j forbids: %s", async (permissions, command, args) => {
    const files = {
      ".env": "K=1",
      ".claude/settings.json": JSON.stringify({ permissions }),
      ".claude/commands/c.md": `See !\`${command}\``,
    };
    const { place, bodies } = await talk(files, [`/c ${args}`]);
    expect(messagesOf(bodies[0])).toContain(`(the command \`${command}\` was not run: `);
    expect(await has(join(place.cwd, "ran"))).toBe(false);
  });

  test("uses its model and its allowed tools only for that turn", async () => {
    const text = "---\nallowed-tools: Bash(touch:*)\nmodel: haiku\n---\nTouch it.";
    const { place, lines, bodies } = await talk(
      { ".claude/commands/t.md": text },
      ["/t", "again"],
      [{ content: [bash("touch first")] }, { text: "ok" }, { content: [bash("touch second")] }],
    );
    expect(await has(join(place.cwd, "first"))).toBe(true);
    expect(await has(join(place.cwd, "second"))).toBe(false);
    expect(lines.filter(is("system", "permission_denied"))).toHaveLength(1);
    const models = bodies.map(({ model }) => /haiku/.test(String(model)));
    expect(models).toEqual([true, true, false, false]);
    expect(lines.find(is("system", "init"))).toMatchObject({ model: expect.stringContaining("haiku") });
  });

  test("states its folder if it is a skill", async () => {
    const text = "---\nname: s\ndescription: d\n---\nRun $" + "{CLAUDE_SKILL_DIR}/go.sh";
    const { place, bodies } = await talk({ ".claude/skills/s/SKILL.md": text }, ["/s"]);
    const folder = join(place.cwd, ".claude/skills/s");
    expect(messagesOf(bodies[0])).toContain(`Run ${folder}/go.sh`);
    expect(messagesOf(bodies[0])).toContain(`are in ${folder}.`);
  });
});

test("a local command is reported by the name that the user typed", { timeout: 30_000 }, async () => {
  const { lines } = await talk({}, ["/cost"]);
  expect(lines.find(isResult)).toMatchObject({ local_command: "cost", num_turns: 0 });
});
