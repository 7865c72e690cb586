import { randomUUID } from "node:crypto";
import { PassThrough, type Readable, type Writable } from "node:stream";
import {
  type AgentConnection,
  type AgentMessage,
  connectToAgent,
  type JsonObject,
} from "@agentwire/protocol";
import type { PermissionResult } from "@agentwire/protocol/permission";
import type { Config } from "../config/config.ts";
import { deferred } from "../deferred.ts";
import type { Database } from "../store/sqlite/database.ts";
import { dump } from "./dump.ts";
import { inspection } from "./inspect.ts";
import {
  answerIn,
  askedIn,
  askedText,
  callLine,
  harmless,
  howToAnswer,
  questionText,
} from "./question-text.ts";
import { serveDatabase } from "./server.ts";
import { TypedLines } from "./typed-lines.ts";

/** Runs a conversation at the terminal until the user ends it; resolves to the exit code. It is a host like any other, in the agent's process. */
export async function runRepl(
  config: Config,
  database: Database,
  input: Readable,
  output: Writable,
  complain: (text: string) => void,
): Promise<number> {
  const lines = new TypedLines(input, output, `${database.path}-history`);
  const [toAgent, toHost] = [new PassThrough(), new PassThrough()];
  const served = serveDatabase(config, database, toAgent, toHost, complain);
  const repl = new Repl(lines, (text) => void output.write(harmless(text)));
  const agent = connectToAgent({
    input: toHost,
    output: toAgent,
    handlers: { can_use_tool: ({ tool_name, input }) => repl.ask(tool_name, input) },
  });
  void repl.hear(agent);
  const commands = new Map<string, () => string | Promise<string>>([
    ["help", () => HELP],
    ["inspect", () => inspection(database, config)],
    ["dump", () => dump(config, database, complain)],
  ]);
  void repl.read(agent, commands).then(() => toAgent.end());
  const code = await served;
  lines.close();
  return code;
}

const HELP = `What you type goes to the agent. Commands:
  help      shows this
  inspect   shows what the database holds
  dump      shows the request that the next prompt would send
  quit      ends, as Ctrl-D does; Ctrl-C interrupts a turn
Slash commands such as /compact, /clear, /context and /model go to the agent.
`;
const QUIT: ReadonlySet<string> = new Set(["quit", "exit"]);

class Repl {
  readonly #lines: TypedLines;
  readonly #show: (text: string) => void;
  /** Settles when the turn that runs has its result. */
  #turn = deferred<void>();
  #isRunning = false;

  constructor(lines: TypedLines, show: (text: string) => void) {
    this.#lines = lines;
    this.#show = show;
  }

  /** Sends what is typed, one turn after the other, until there is no more or the agent has gone. */
  async read(
    agent: AgentConnection,
    commands: ReadonlyMap<string, () => string | Promise<string>>,
  ): Promise<void> {
    this.#lines.onInterrupt = () => {
      if (this.#isRunning) agent.request("interrupt", {}).catch(() => {});
      else this.#lines.close();
    };
    for (;;) {
      const line = (await this.#lines.next("> "))?.trim();
      if (line === undefined) return;
      if (line === "") continue;
      this.#lines.remember(line);
      const word = line.replace(/^\//, "").toLowerCase();
      if (QUIT.has(word)) return;
      const command = commands.get(word);
      if (command) this.#show(await command());
      else await this.#say(line, agent);
    }
  }

  /** Shows what the agent says. */
  async hear(agent: AgentConnection): Promise<void> {
    for await (const message of agent.messages) {
      const text = inWords(message);
      if (text !== "") this.#show(`${text}\n`);
      if (message.type === "result" || isRefusal(message)) this.#turn.resolve();
    }
    this.#turn.resolve();
  }

  /** Asks whether a tool may run; only a clear yes is one, and other words are why not. */
  async ask(tool: string, input: JsonObject): Promise<PermissionResult> {
    if (tool === "AskUserQuestion") return this.#askUser(input);
    const question = `${harmless(questionText(tool, input))}\nMay it run? y for yes, n for no, or why not: `;
    const answer = (await this.#lines.answer(question))?.trim() ?? "";
    if (/^y(es)?$/i.test(answer)) return { behavior: "allow", updatedInput: input };
    const hasReason = answer !== "" && !/^no?$/i.test(answer);
    return { behavior: "deny", message: hasReason ? `The user said no: ${answer}` : "The user said no." };
  }

  /** Asks what the agent wants to know, one question after the other; no answer to one is no answer at all. */
  async #askUser(input: JsonObject): Promise<PermissionResult> {
    const answers: Record<string, string> = {};
    for (const asked of askedIn(input)) {
      const line =
        (await this.#lines.answer(`${harmless(askedText(asked))}\n${howToAnswer(asked)}: `))?.trim() ?? "";
      if (line === "") return { behavior: "deny", message: "The user did not answer." };
      answers[asked.question] = answerIn(asked, line);
    }
    return { behavior: "allow", updatedInput: { ...input, answers } };
  }

  async #say(content: string, agent: AgentConnection): Promise<void> {
    this.#turn = deferred();
    this.#isRunning = true;
    // A prompt with a name is told of if it gets no turn.
    agent.send({ type: "user", message: { role: "user", content }, uuid: randomUUID() });
    await this.#turn.promise;
    this.#isRunning = false;
  }
}

const isRefusal = (message: AgentMessage) =>
  message.type === "command_lifecycle" && message.state === "refused";

/** What of a message a person wants to see; the answer itself comes as text, so its result is told only if it failed. */
function inWords(message: AgentMessage): string {
  switch (message.type) {
    case "assistant":
      return message.message.content
        .flatMap((block) => {
          if (block.type === "text") return [block.text];
          // What the user is asked is shown when they are.
          return block.type === "tool_use" && block.name !== "AskUserQuestion"
            ? [`· ${callLine(block.name, block.input)}`]
            : [];
        })
        .join("\n");
    case "result":
      if (message.local_command !== undefined) return message.result ?? "";
      return message.is_error && message.errors ? message.errors.join("\n") : "";
    case "system":
      if (message.subtype === "error") return message.message;
      return message.subtype === "informational" ? message.content : "";
    default:
      return "";
  }
}
