import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive } from "../../src/daemon/run-file.ts";
import { COMMAND, Seat, SMALL } from "./seat.ts";

let seat: Seat;

beforeEach(() => {
  seat = new Seat();
});

afterEach(() => seat.end());

/** The screen with a turn that waits for the file `seen`. */
async function working(more = "") {
  const screen = await seat.sit(SMALL);
  screen.type(`${COMMAND} --agent builder --mode bypassPermissions${more}`);
  screen.press("Enter");
  return screen;
}

test("the screen starts a daemon that crashed, and one that crashed before the first prompt", async () => {
  const screen = await working();
  await screen.see("? for keys");
  await screen.see("(started a daemon");
  // Only a screen that has opened lists the sessions.
  screen.press("C-g");
  await screen.see("❯ a new session here");
  screen.press("Escape");
  await screen.see("a new session here", false);
  // Nothing is followed yet, so the failed prompt tells.
  const first = seat.home.daemonPid;
  process.kill(first, "SIGKILL");
  screen.type("build it");
  screen.press("Enter");
  await screen.see("the daemon ended unexpectedly and was started again");
  expect(seat.home.daemonPid).not.toBe(first);
  await screen.see("› build it");
  screen.press("Enter");
  await screen.see(/50 %[\s\S]*Esc interrupts/);

  const second = seat.home.daemonPid;
  process.kill(second, "SIGKILL");
  const lost = await screen.see("… lost the daemon; reconnecting");
  expect(lost).not.toContain("Esc interrupts");
  await screen.see("the daemon ended unexpectedly; starting it again");
  await screen.see("the daemon ended unexpectedly and was started again");
  expect(seat.home.daemonPid).not.toBe(second);
  // The turn ended with its agent, and the session continues.
  await screen.see("Esc interrupts", false);
  writeFileSync(join(seat.home.project, "seen"), "");
  screen.type("build it again");
  await screen.see("› build it again");
  screen.press("Enter");
  await screen.see("Built.");
}, 120_000);

test("the screen starts a daemon that crashed while the screen opened", async () => {
  await seat.home.run(["daemon", "start"]);
  const first = seat.home.daemonPid;
  // The daemon answers a first request, and crashes at the second one.
  const socket = join(seat.home.state, "daemon.sock");
  renameSync(socket, `${socket}.renamed`);
  let requests = 0;
  const between = createServer((client: Socket) => {
    const daemon = connect(`${socket}.renamed`);
    daemon.on("error", () => {}).pipe(client.on("error", () => {}));
    client.on("data", async (data) => {
      if (data.toString().startsWith("POST ")) requests += 1;
      if (requests < 2) return void daemon.write(data);
      between.close();
      process.kill(first, "SIGKILL");
      await expect.poll(() => isAlive(first), { timeout: 30_000 }).toBe(false);
      client.destroy();
    });
  }).listen(socket);
  await once(between, "listening");
  const screen = await working();
  await screen.see("(started a daemon");
  expect(seat.home.daemonPid).not.toBe(first);
  screen.type("build it");
  await screen.see("› build it");
  screen.press("Enter");
  await screen.see(/50 %[\s\S]*Esc interrupts/);
}, 120_000);

test("the screen leaves a stopped daemon stopped, says how to start it, and reconnects", async () => {
  const screen = await working();
  await screen.see("? for keys");
  screen.type("build it");
  screen.press("Enter");
  await screen.see("Esc interrupts");
  await seat.home.run(["daemon", "stop", "--now"]);
  await screen.see("… the daemon was stopped; to start it again: agentwire daemon start");
  await screen.see("Esc interrupts", false);
  expect((await seat.home.run(["daemon", "status"])).stdout).toContain("No daemon");
  await seat.home.run(["daemon", "start"]);
  await screen.see("the daemon was stopped", false);
  expect(await screen.text()).not.toContain("started again");
}, 120_000);

test("the screen tries to start a crashed daemon only a few times, and reconnects when someone else can", async () => {
  const settings = join(seat.home.state, "settings.json");
  const valid = readFileSync(settings, "utf8");
  const screen = await working();
  await screen.see("? for keys");
  screen.type("build it");
  screen.press("Enter");
  await screen.see("Esc interrupts");
  writeFileSync(settings, "{");
  process.kill(seat.home.daemonPid, "SIGKILL");
  await screen.see(/the daemon ended unexpectedly and can't be started:\s+\S*settings\.json/);
  await screen.see(/gave up starting the daemon[\s\S]*agentwire\s+daemon start[\s\S]*settings\.json/);
  writeFileSync(settings, valid);
  await seat.home.run(["daemon", "start"]);
  await screen.see("gave up", false);
}, 120_000);

test("the plain screen starts a daemon that crashed, at the port that its command line had named", async () => {
  const hasPort = async () => {
    const { stdout } = await seat.home.run(["daemon", "status"]);
    return stdout.includes("http://127.0.0.1:");
  };
  await seat.home.run(["daemon", "start", "--port", "0"]);
  expect(await hasPort()).toBe(true);
  const screen = await working(" --screen plain");
  await screen.see("Type a prompt");
  screen.type("build it");
  screen.press("Enter");
  await screen.see("compiling");
  process.kill(seat.home.daemonPid, "SIGKILL");
  await screen.see(
    /Lost the daemon[\s\S]*The daemon ended unexpectedly; starting it again\.[\s\S]*The daemon is back\./,
  );
  expect(await hasPort()).toBe(true);
}, 120_000);
