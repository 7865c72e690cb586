import { randomUUID } from "node:crypto";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, hasOption, textOption } from "../command.ts";
import { folderForDaemon } from "../daemon/daemon-paths.ts";
import { demoNote } from "../daemon/demo-note.ts";
import { locationOf } from "../daemon/location.ts";
import { daemonOrNew } from "../daemon/reach.ts";
import { CliError } from "../errors.ts";
import type { Io, Person } from "../io.ts";
import { shortId } from "../render/question-line.ts";
import { styleFor } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { continuedSession } from "../talk/continued-session.ts";
import { isGone } from "../talk/rpc-error.ts";
import { checkNames } from "./check-names.ts";
import { Desk, type NewSession } from "./desk.ts";
import { helpRows, welcomeRows } from "./help-rows.ts";
import { LiveScreen } from "./live-screen.ts";
import type { Effect } from "./model/effects.ts";
import { newPicker } from "./model/picker.ts";
import { newScreen } from "./model/state.ts";
import { LOOK, linesOf, shown, span } from "./paint/span.ts";
import { ordererFor, orderText } from "./paint/text-order.ts";
import { pictureAt } from "./pictures.ts";
import { PromptHistory } from "./prompt-history.ts";

/** Runs the interactive screen in a folder until the user leaves; resolves to the exit code. */
export async function openScreen(call: Call, person: Person): Promise<number> {
  const { io } = call;
  const how = textOption(call, "screen") ?? io.env.AGENTWIRE_SCREEN;
  if (how === "plain" || io.env.TERM === "dumb") return openPlainScreen(call, person);
  const cwd = folderForDaemon(io, textOption(call, "cwd"));
  const history = new PromptHistory(locationOf(io).folder);
  orderText(ordererFor(io.env));
  const isStyled = styleFor(person.screen, io.env).bold("x") !== "x";
  // Keeps the effects of keys pressed before the daemon answers.
  const early: Effect[] = [];
  let desk: Desk | undefined;
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const screen = new LiveScreen(
    newScreen({
      cwd,
      home: io.env.HOME ?? "",
      model: textOption(call, "model") ?? "",
      mode: textOption(call, "mode") ?? "",
      history: [],
    }),
    {
      person,
      isStyled,
      isAlternate: how === "alternate",
      onEffect: (effect) => {
        if (effect.type === "leave") leave();
        else if (effect.type === "suspend") suspend();
        else if (effect.type === "show") show(effect.what);
        else if (desk) desk.do(effect);
        else early.push(effect);
      },
      onPaste: (text) => void pasted(screen, text),
    },
  );
  const show = (what: "help" | "folded" | "screen") => {
    if (what === "help") screen.print(helpRows());
    else if (what === "folded") screen.unfold();
    else screen.redraw();
  };
  const suspend = () => {
    screen.stop();
    process.kill(process.pid, "SIGTSTP");
  };
  const resume = () => {
    screen.stop();
    screen.start();
  };
  process.on("SIGTERM", leave).on("SIGHUP", leave).on("SIGCONT", resume);
  screen.start();
  try {
    screen.print(welcomeRows(cwd, io.env.HOME ?? ""));
    const say = (text: string) => screen.print([...linesOf([span(shown(text.trimEnd()), LOOK.dim)]), []]);
    const [{ client, isIntroduced }, prompts] = await Promise.all([connect(io, say), history.read()]);
    screen.update((state) => ({
      ...state,
      history: [...prompts, ...state.history],
      historyAt: prompts.length + state.history.length,
    }));
    const prepare = async () => {
      await checkNames(call, client);
      return continuedSession(call, client, cwd);
    };
    const session = await prepare().catch(async (error: unknown) => {
      if (!isGone(error)) throw error;
      // The daemon has ended since it answered. The screen is open already, so it is started again as later on.
      await connect(io, say);
      return prepare();
    });
    const fresh = newSessionOf(call);
    desk = new Desk({ io, client, screen, history, fresh });
    if (!isIntroduced)
      void demoNote(call, client, session).then((note) => {
        if (note !== "") screen.print(linesOf([span(note, LOOK.yellow)]));
      });
    if (session) desk.open(session);
    else if (!fresh.trust) await askForTrust(client, screen, cwd);
    desk.start();
    for (const effect of early) desk.do(effect);
    await left;
  } finally {
    process.off("SIGTERM", leave).off("SIGHUP", leave).off("SIGCONT", resume);
    screen.stop();
    await desk?.stop();
  }
  const id = desk?.sessionId;
  if (id !== undefined) person.screen.write(`The session is kept: agentwire --resume ${shortId(id)}\n`);
  return EXIT_CODES.done;
}

const newSessionOf = (call: Call): NewSession => ({
  agent: textOption(call, "agent") ?? "",
  trust: hasOption(call, "trust"),
  worktree: hasOption(call, "worktree") ? { name: textOption(call, "worktree") ?? "" } : undefined,
});

/** Runs the line-by-line form of the screen. */
async function openPlainScreen(call: Call, person: Person): Promise<number> {
  const { io } = call;
  const cwd = folderForDaemon(io, textOption(call, "cwd"));
  const { client, isIntroduced } = await connect(io, (text) => io.stderr.write(text));
  await checkNames(call, client);
  const session = await continuedSession(call, client, cwd);
  const { worktree, ...fresh } = newSessionOf(call);
  const note = isIntroduced ? "" : await demoNote(call, client, session);
  if (note !== "") person.screen.write(`${note}\n`);
  const { runPlainScreen } = await import("./plain-screen.ts");
  return runPlainScreen({
    io,
    person,
    client,
    session,
    home: io.env.HOME ?? "",
    create: async () => {
      const { session: created } = await client.sessions.createSession({
        cwd,
        ...fresh,
        model: textOption(call, "model") ?? "",
        permissionMode: textOption(call, "mode") ?? "",
        idempotencyKey: randomUUID(),
        ...(worktree && { worktree }),
      });
      if (!created) throw new CliError("the daemon created no session");
      return created;
    },
  });
}

/** Connects to the daemon, passing what would go to stderr at its start to `say`; also reports whether there was any such text. */
async function connect(io: Io, say: (text: string) => void) {
  let isIntroduced = false;
  const write = (text: string) => {
    isIntroduced = true;
    say(text);
    return true;
  };
  const aside = Object.create(io, { stderr: { value: { ...io.stderr, write } } }) as Io;
  return { client: await daemonOrNew(aside, "terminal"), isIntroduced };
}

/** Asks the user whether to trust a folder whose files need it. */
async function askForTrust(client: Client, screen: LiveScreen, cwd: string): Promise<void> {
  // If the request fails, the folder is not trusted; starting the session will report the cause.
  const found = await client.sessions.inspectFolder({ cwd }).catch(() => undefined);
  if (!found || found.trusted || found.withheld.length === 0) return;
  screen.print([
    [span(`${shown(found.folder)} is not trusted. Its files ask for:`, LOOK.yellow)],
    ...found.withheld.map(({ path, what }) => [span(`  ${shown(path)}: ${shown(what)}`)]),
    [],
  ]);
  const entries = [
    { label: "no", detail: "sessions start without it", value: "" },
    {
      label: "yes",
      detail: "applies to all sessions there, even if the files change later",
      value: "yes",
    },
  ];
  screen.update((state) => ({ ...state, picker: newPicker("trust", "Do you trust this folder?", entries) }));
}

/** Handles a paste: attaches the image if it is the path of a dropped one, else inserts the text. */
async function pasted(screen: LiveScreen, text: string): Promise<void> {
  const picture = await pictureAt(text);
  if (picture) screen.update((state) => ({ ...state, pictures: [...state.pictures, picture] }));
  else screen.paste(text);
}
