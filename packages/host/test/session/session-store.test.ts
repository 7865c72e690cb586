import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openSession } from "../../src/session/session.ts";
import { InMemorySessionStore } from "../../src/session-files/memory-store.ts";
import { freshFolder } from "../programs/shell-agent.ts";

const AGENT = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));

test("a session stores its conversation before it yields a result, and resumes from the store in a folder that lacks it or has an older one", async () => {
  const store = new InMemorySessionStore();
  const [cwd, one, two] = [freshFolder(), freshFolder(), freshFolder()];
  const script = join(cwd, "script.json");
  const recalls = { messages: [{ content: [{ text: "first" }] }] };
  writeFileSync(script, JSON.stringify({ steps: [], whenExhausted: { text: "said" } }));
  const say = async (folder: string, text: string, resume?: string) => {
    const env = { PATH: process.env.PATH, HOME: folder, CLAUDE_CONFIG_DIR: folder, AGENTWIRE_SCRIPT: script };
    const session = await openSession({
      ...{ agent: AGENT, cwd, env, sessionStore: store },
      ...(resume !== undefined && { resume }),
    });
    onTestFinished(async () => void (await session.close()));
    session.send(text);
    let id = "";
    for await (const message of session.messages) {
      expect(message.type).not.toBe("transcript_mirror");
      if (message.type !== "result") continue;
      expect(message.is_error).toBe(false);
      id = message.session_id ?? "";
      break;
    }
    await session.close();
    return id;
  };
  const linesIn = (folder: string, id: string) => {
    const [project = ""] = readdirSync(join(folder, "projects"));
    return readFileSync(join(folder, "projects", project, `${id}.jsonl`), "utf8");
  };
  const id = await say(one, "first");
  writeFileSync(
    script,
    JSON.stringify({ steps: [{ text: "said", expect: recalls }], whenExhausted: { text: "said" } }),
  );
  expect(await say(two, "second", id)).toBe(id);
  expect(await say(one, "third", id)).toBe(id);
  for (const text of ["first", "second", "third"]) expect(linesIn(one, id)).toContain(`"${text}"`);
  expect(linesIn(two, id)).not.toContain("third");
  await expect(openSession({ sessionStore: {} } as never)).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringContaining("sessionStore"),
  });
}, 60_000);
