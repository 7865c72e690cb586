import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "./home.ts";

let home: Home;
beforeAll(() => {
  home = new Home();
});
afterAll(() => home.end());

const DEMO = "This is the offline demo: fixed rules, no model. To set one up: agentwire models";

test("the screen announces the offline demo, even if only the daemon knows of it, and not for other agents", async () => {
  const inFront = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const sitting = home.sit(args, { AGENTWIRE_SCREEN: "plain", ...env });
    await sitting.see("Type a prompt and press Enter");
    sitting.type("\x04");
    expect(await sitting.end()).toBe(0);
    return sitting.all;
  };
  await home.run(["daemon", "start"]);
  expect(await inFront([])).toContain(DEMO);
  expect(await inFront([], { ANTHROPIC_API_KEY: "of-nobody" })).not.toContain(DEMO);
  expect(await inFront(["--agent", "claude"])).not.toContain(DEMO);
  // A started agent has reported what it answers with, and it has the daemon's environment.
  await home.run(["run", "hello"]);
  expect(await inFront([], { ANTHROPIC_API_KEY: "of-nobody" })).toContain(DEMO);
  expect(await inFront(["--continue"])).toContain(DEMO);
  expect(await inFront(["--model", "ollama/llama"])).not.toContain(DEMO);

  expect(await inFront(["--model", "gpt-4o"])).toContain("The offline demo answers, not gpt-4o");

  const screen = home.sit([]);
  await screen.see(DEMO);
  screen.type("\x04");
  expect(await screen.end()).toBe(0);
}, 120_000);

test.each([
  [["--agent", "wrong"], "unknown agent wrong; choose one of agentwire, claude"],
  [["--agent", "agentwir"], "did you mean agentwire?"],
  [["--model", "nosuchprovider/x"], "There is no provider nosuchprovider for the model nosuchprovider/x"],
  [["--mode", "wrong"], "--mode is one of default"],
  [["--continue", "--agent", "agentwire"], "--agent can't be combined with --continue"],
  [["-c", "--modle", "x"], "unknown option --modle; did you mean --model?"],
])(
  "%j is refused when the screen opens",
  async (args, message) => {
    const sitting = home.sit(args);
    await sitting.see(message);
    expect(await sitting.end()).toBe(2);
    expect(sitting.all).not.toContain("? for keys\r\n");
  },
  60_000,
);

test("a reopened session gets the mode given on the command line", async () => {
  await home.run(["run", "hello"]);
  const sitting = home.sit(["--continue", "--mode", "plan"]);
  await sitting.see("plan mode");
  sitting.type("\x04");
  expect(await sitting.end()).toBe(0);
  const { sessions } = JSON.parse((await home.run(["sessions", "--json"])).stdout);
  expect(sessions[0]).toMatchObject({ permissionMode: "plan" });
}, 60_000);
