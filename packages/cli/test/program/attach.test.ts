import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientAt } from "../../src/talk/client.ts";
import { Home } from "./home.ts";

let home: Home;
beforeAll(() => {
  home = new Home();
});
afterAll(() => home.end());

const events = (jsonLines: string) =>
  jsonLines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { seq: string });

test("attach shows the history, sends prompts, answers questions, and survives a restart of the daemon", async () => {
  await home.run(["run", "hello"]);
  const sitting = home.sit(["attach"]);
  await sitting.see("› hello");
  await sitting.see("(0.");
  await sitting.see("› ");

  sitting.type("run touch x1\r");
  await sitting.see("Allow?");
  // A sentence goes to the prompt, typed or pasted; when it is deleted, the question is asked again.
  await sitting.press("yes, but why", "› yes, but why");
  sitting.type("\x15");
  await sitting.see("Allow?");
  await sitting.press("\x1b[200~y\x1b[201~", "› y");
  sitting.type("\x15");
  await sitting.see("Allow?");
  expect(existsSync(join(home.project, "x1"))).toBe(false);
  await sitting.press("y", "allowed by");
  await sitting.see("I did what you asked");
  expect(existsSync(join(home.project, "x1"))).toBe(true);

  process.kill(home.daemonPid, "SIGKILL");
  await sitting.see("lost the daemon");
  await home.run(["daemon", "start"]);
  await sitting.see("reconnected");
  sitting.type("what can you do?\r");
  await sitting.see("a few fixed rules");
  await sitting.see("(0.");
  sitting.type("\x04");
  expect(await sitting.end()).toBe(0);
  // Each prompt is shown once as an event, whatever happened in between.
  for (const prompt of ["hello", "run touch x1", "what can you do?"])
    expect(sitting.all.split(`› ${prompt}\r\n`), prompt).toHaveLength(2);
}, 120_000);

test("attach requests the input from its holder, and hands it over when asked", async () => {
  await home.run(["run", "--mode", "plan", "hello"]);
  const { sessions } = JSON.parse((await home.run(["sessions", "--json"])).stdout);
  const sessionId = sessions[0].id as string;
  const { sessions: daemon } = clientAt({ socketPath: join(home.state, "daemon.sock") }, "owner");
  await daemon.takeInput({ sessionId });
  const sitting = home.sit(["attach", sessionId]);
  await sitting.see("owner holds the input");
  await sitting.see("› ");
  sitting.type("what can you do?\r");
  await sitting.see("owner holds the input; ask them for it");
  await sitting.see("owner was asked for the input");
  await daemon.handOverInput({ sessionId });
  await sitting.see("the holder handed it over");
  // The typed prompt is still there.
  sitting.type("\r");
  await sitting.see("a few fixed rules");
  await sitting.see("(0.");
  await daemon.requestInput({ sessionId });
  await sitting.see("owner asks for the input: [g]ive it");
  await sitting.press("k", "keeps the input");
  await daemon.requestInput({ sessionId });
  await sitting.press("g", "owner holds the input: the holder handed it over");
  sitting.type("\x04");
  expect(await sitting.end()).toBe(0);
  expect((await daemon.getSession({ sessionId })).session?.inputHolder).toBe("owner");
}, 120_000);

test("a question answered elsewhere is withdrawn from the terminal", async () => {
  const sitting = home.sit(["run", "run touch x2"]);
  await sitting.see("Allow?");
  const { questions } = JSON.parse((await home.run(["questions", "--json"])).stdout);
  const id = questions[0].id.slice(0, 8);
  expect(await home.run(["questions", "deny", id, "--reason", "not today"])).toMatchObject({ code: 0 });
  await sitting.see("not today");
  expect(await sitting.end()).toBe(0);
  const again = await home.run(["questions", "allow", id]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`no open question ${id}`) });
}, 60_000);

test("attach --json prints every event from the first on, like the export", async () => {
  const { sessions } = JSON.parse((await home.run(["sessions", "--search", "hello", "--json"])).stdout);
  const id = sessions[0].id as string;
  const exported = events((await home.run(["sessions", "export", "--json", id])).stdout);
  const child = home.start(["attach", "--json", id]);
  let text = "";
  for await (const more of child.stdout as NodeJS.ReadableStream) {
    text += more;
    if (text.split("\n").length > exported.length) break;
  }
  child.kill("SIGTERM");
  expect(events(text)).toEqual(exported);
  const numbers = exported.map(({ seq }) => Number(seq));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
}, 60_000);
