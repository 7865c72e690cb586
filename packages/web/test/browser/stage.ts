import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { AdminService, QuestionService, SessionService } from "@agentwire/api";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import { runMark } from "../../../../test/run-mark.ts";
import { sharedBrowser } from "./chromium.ts";

const PROGRAM = fileURLToPath(new URL("../../../cli/bin/agentwire", import.meta.url));
const AGENT = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));

const SCRIPTED_AGENT = fileURLToPath(
  new URL("../../../conformance/bin/agentwire-scripted-agent", import.meta.url),
);

/** Generous, because everything takes longer on a busy machine. */
const PATIENCE_MS = 60_000;

/** A script for the model: its replies, step by step. */
export type Script = Readonly<Record<string, unknown>>;

/** A script for an agent: the lines it reads and writes, for behavior that a real agent can't be made to show. */
export type Lines = readonly Script[];

/** A signed-in browser profile, shared by tests. */
interface Profile {
  readonly context: BrowserContext;
  /** The contents of its `localStorage` right after it signed in. */
  readonly stored: Readonly<Record<string, string>>;
  /** Tabs that tests have released for reuse. */
  readonly left: Page[];
}

/** How to open a page in a shared profile. */
interface ViewOptions extends BrowserContextOptions {
  /** The session that it shows; without one it shows the start page. */
  readonly sessionId?: string;
}

const VIEWPORT = { width: 1280, height: 780 };

/** A daemon with real agents whose models are scripted, and a browser for its console. */
export class Stage {
  readonly folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-web-"));
  readonly project = join(this.folder, "project");
  /** Additional environment variables for the daemon. */
  readonly env: Record<string, string> = {};
  readonly store = join(this.folder, "state", "agentwire.db");
  #browser: Browser | undefined;
  readonly #contexts: BrowserContext[] = [];
  /** Signed-in profiles by the options they were created with. */
  readonly #profiles = new Map<string, Profile>();
  #daemon: ChildProcess | undefined;
  #port = 0;
  #link = "";

  /** Starts the daemon and the browser; `scripts` are the agents that sessions can name, `more` are further settings. */
  async open(scripts: Readonly<Record<string, Script | Lines>>, more: Script = {}): Promise<void> {
    mkdirSync(this.project);
    mkdirSync(join(this.folder, "state"), { mode: 0o700 });
    const agents = Object.entries(scripts).map(([name, script]) => {
      const file = join(this.folder, `${name}.json`);
      const isLines = Array.isArray(script);
      writeFileSync(
        file,
        isLines ? script.map((line) => JSON.stringify(line)).join("\n") : JSON.stringify(script),
      );
      return [name, { path: isLines ? SCRIPTED_AGENT : AGENT, env: { AGENTWIRE_SCRIPT: file } }];
    });
    const daemon = { spare_processes: 0, trusted_folders: [this.folder] };
    const settings = {
      daemon,
      ...more,
      agents: { ...(more.agents as Script), ...Object.fromEntries(agents) },
    };
    writeFileSync(join(this.folder, "state", "settings.json"), JSON.stringify(settings));
    [this.#browser] = await Promise.all([sharedBrowser(), this.startDaemon()]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#contexts.map((context) => context.close()));
    await this.killDaemon("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Starts the daemon, at its previous port if it had one. */
  async startDaemon(): Promise<void> {
    const child = spawn(
      process.execPath,
      [PROGRAM, "daemon", "start", "--foreground", "--json", "--link", `--port=${this.#port}`],
      {
        cwd: this.project,
        env: {
          ...runMark(),
          PATH: process.env.PATH,
          HOME: this.folder,
          AGENTWIRE_HOME: join(this.folder, "state"),
          ...this.env,
        },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    this.#daemon = child;
    const lines = createInterface({ input: child.stdout });
    const [line] = (await once(lines, "line")) as [string];
    const { addresses, console: link } = JSON.parse(line) as { addresses: string[]; console: string };
    this.#port = Number(new URL(addresses[1] ?? "").port);
    this.#link = link;
  }

  async killDaemon(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#daemon;
    this.#daemon = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The sign-in link printed by the daemon; it works once. */
  get link(): string {
    return this.#link;
  }

  /** A client of one of the daemon's services, over its socket. */
  connect<S extends DescService>(service: S): Client<S> {
    const transport = createConnectTransport({
      baseUrl: "http://localhost",
      httpVersion: "1.1",
      nodeOptions: { socketPath: join(this.folder, "state", "daemon.sock") },
    });
    return createClient(service, transport);
  }

  /** The services that most tests need. */
  get client() {
    return { sessions: this.connect(SessionService), questions: this.connect(QuestionService) };
  }

  /** Opens a page in a new profile that is not signed in. */
  async stranger(options: BrowserContextOptions = {}): Promise<Page> {
    if (!this.#browser) throw new Error("the stage is not open");
    const context = await this.#browser.newContext({
      viewport: VIEWPORT,
      // A pulsing dot would be painted sixty times a second in every open page.
      reducedMotion: "reduce",
      ...options,
    });
    this.#contexts.push(context);
    context.setDefaultTimeout(PATIENCE_MS);
    return context.newPage();
  }

  /** Opens a page in a new profile, signed in. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.stranger(options);
    const { url } = await this.connect(AdminService).createConsoleLink({});
    await page.goto(url);
    await page.getByRole("link", { name: "New session" }).first().waitFor();
    return page;
  }

  /** Creates a session with an agent, and opens a page that shows it. */
  async session(agent: string, options: BrowserContextOptions = {}): Promise<{ page: Page; id: string }> {
    const id = await this.#begin(agent);
    const page = await this.page(options);
    await this.show(page, id);
    return { page, id };
  }

  /**
   * Opens a page in a profile shared by the tests of a file, in a released tab if there is one: this takes a third of the CPU time
   * of a new profile. For tests that leave nothing in the browser except what the console stores; they must end with `leave()`.
   */
  async view({ viewport = VIEWPORT, sessionId, ...options }: ViewOptions = {}): Promise<Page> {
    const key = JSON.stringify(options);
    const profile = this.#profiles.get(key);
    if (!profile) {
      const first = await this.page({ viewport, ...options });
      const stored = await first.evaluate<Profile["stored"]>("({ ...localStorage })");
      this.#profiles.set(key, { context: first.context(), stored, left: [] });
      if (sessionId !== undefined) await this.show(first, sessionId);
      return first;
    }
    const page = profile.left.pop() ?? (await profile.context.newPage());
    if (viewport) await page.setViewportSize(viewport);
    if (sessionId !== undefined) await this.show(page, sessionId);
    else {
      await page.goto(this.url);
      await page.getByRole("link", { name: "New session" }).first().waitFor();
    }
    return page;
  }

  /** Like `view()`, with a new session that the page shows. */
  async tab(agent: string, options: BrowserContextOptions = {}): Promise<{ page: Page; id: string }> {
    const id = await this.#begin(agent);
    return { page: await this.view({ ...options, sessionId: id }), id };
  }

  /** Releases a tab to the next test, after restoring the storage to its state right after signing in. */
  async leave(page: Page): Promise<void> {
    const profile = [...this.#profiles.values()].find(({ context }) => context === page.context());
    if (!profile) throw new Error("the page is in a profile of its own: close that");
    // Leaves the console, which would otherwise keep talking to the daemon.
    await page.goto(`${this.url}/icon.svg`);
    await page.emulateMedia({ colorScheme: "light" });
    await page.evaluate(`{
      const stored = ${JSON.stringify(profile.stored)};
      sessionStorage.clear();
      for (const key of Object.keys(localStorage)) if (!(key in stored)) localStorage.removeItem(key);
      Object.assign(localStorage, stored);
    }`);
    profile.left.push(page);
  }

  async #begin(agent: string): Promise<string> {
    const { session } = await this.client.sessions.createSession({ agent, cwd: this.project, title: agent });
    return session?.id ?? "";
  }

  /** Opens a session in a signed-in page. */
  async show(page: Page, id: string): Promise<void> {
    await page.goto(`${this.url}/#/session/${id}`);
    await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  }
}

/** Sends a prompt to the session that a page shows. */
export async function say(page: Page, text: string): Promise<void> {
  const box = page.getByRole("textbox", { name: "Prompt" });
  await box.fill(text);
  await box.press("Enter");
}

/** Polls until an assertion holds. */
export function eventually<T>(look: () => T | Promise<T>, interval = 50): ReturnType<typeof expect.poll> {
  return expect.poll(look, { timeout: PATIENCE_MS, interval });
}
