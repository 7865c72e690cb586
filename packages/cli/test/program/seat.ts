import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { showcase } from "../../../web/test/browser/showcase.ts";
import { use } from "../../../web/test/browser/tool-use.ts";
import { Home, PROGRAM } from "./home.ts";
import { type Size, Tmux } from "./tmux.ts";

const AGENT = new URL("../../../agent/bin/agentwire-agent", import.meta.url).pathname;

/** The command line of the program in a terminal. */
export const COMMAND = `${process.execPath} ${PROGRAM}`;

export const SMALL = { columns: 80, rows: 24 };
export const LARGE = { columns: 200, rows: 60 };

const PLAN = "## Plan\n\n1. Read the lexer\n2. Change it";

const SCRIPTS = {
  planner: {
    steps: [
      { content: [use("toolu_plan", "ExitPlanMode", { plan: PLAN })] },
      {
        content: [
          { type: "text", text: "Now the lexer." },
          use("toolu_write", "Write", { file_path: "{{cwd}}/lexer.ts", content: "export {};\n" }),
        ],
      },
      { text: "The lexer is done." },
    ],
    whenExhausted: { text: "The file is called שלום.txt now." },
  },
  // Asks its user, then runs two commands of one kind, then answers with code.
  asker: {
    steps: [
      {
        content: [
          use("toolu_ask", "AskUserQuestion", {
            questions: [
              {
                header: "Color",
                question: "Which colors shall it have?",
                multiSelect: true,
                options: ["red", "green", "blue"].map((label) => ({
                  label,
                  description: `as ${label} as can be`,
                })),
              },
            ],
          }),
        ],
      },
      { content: [use("toolu_one", "Bash", { command: "touch one.txt" })] },
      { content: [use("toolu_two", "Bash", { command: "touch two.txt" })] },
      { text: "Done:\n\n```ts\nconst answer = 42;\n```" },
    ],
    whenExhausted: { text: "Nothing else." },
  },
  // Prints something, and waits until the test has seen it.
  builder: {
    steps: [
      {
        content: [
          use("toolu_make", "Bash", {
            command:
              "echo compiling; printf '10 %%\\r50 %%'; until [ -e seen ]; do sleep 0.1; done; echo; echo linked",
          }),
        ],
      },
      { text: "Built.", usage: { input_tokens: 30_000, output_tokens: 100 } },
    ],
  },
};

/** A series of terminals, with agents whose models follow scripts. */
export class Seat {
  readonly home = new Home();
  #terminal: Tmux | undefined;

  constructor() {
    mkdirSync(this.home.state, { mode: 0o700 });
    mkdirSync(join(this.home.project, "src"));
    const agents = Object.entries({ ...showcase, ...SCRIPTS }).map(([name, script]) => {
      const file = join(this.home.folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(script));
      return [name, { path: AGENT, env: { AGENTWIRE_SCRIPT: file } }];
    });
    writeFileSync(
      join(this.home.state, "settings.json"),
      JSON.stringify({
        default_agent: "agentwire",
        agents: Object.fromEntries(agents),
        daemon: { spare_processes: 0 },
      }),
    );
  }

  /** Opens a new terminal, and closes the last one. */
  async sit(size: Size, env: NodeJS.ProcessEnv = {}): Promise<Tmux> {
    await this.close();
    this.#terminal = new Tmux(this.home, size, env);
    return this.#terminal;
  }

  /** Closes the terminal, like closing its window. */
  async close(): Promise<void> {
    await this.#terminal?.close();
    this.#terminal = undefined;
  }

  async end(): Promise<void> {
    await this.close();
    await this.home.end();
  }
}
