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
  answerPrompt,
  callLine,
  questionsIn,
  questionText,
  safeText,
  withOptions,
} from "./question-text.ts";
import { serveDatabase } from "./server.ts";
import { TypedLines } from "./typed-lines.ts";

/** Runs a conversation in the terminal until the user ends it; resolves to the exit code. It acts as an ordinary host in the agent's process. */
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
  const repl = new Repl(lines, (text) => void output.write(safeText(text)));
  const agent = connectToAgent({
    input: toHost,
    output: toAgent,
    handlers: { can_use_tool: ({ tool_name, input }) => repl.ask(tool_name, input) },
  });
  void repl.showMessages(agent);
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

const HELP = `What you type is sent to the agent. Commands:
help      show this help
inspect   show what is in the database
dump      show the request that the next prompt would send
quit      exit, like Ctrl-D; Ctrl-C interrupts a turn
Slash commands such as /compact, /clear, /context and /model are sent to the agent.
`;
const QUIT: ReadonlySet<string> = new Set(["quit", "exit"]);

class Repl {
  readonly #lines: TypedLines;
  readonly #show: (text: string) => void;
  /** Settles when the current turn has its result. */
  #turn = deferred<void>();
  #isRunning = false;

  constructor(lines: TypedLines, show: (text: string) => void) {
    this.#lines = lines;
    this.#show = show;
  }

  /** Sends each typed line and waits for its turn to end, until the input ends or the user quits. */
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
      else await this.#prompt(line, agent);
    }
  }

  /** Prints what the agent sends. */
  async showMessages(agent: AgentConnection): Promise<void> {
    for await (const message of agent.messages) {
      const text = asText(message);
      if (text !== "") this.#show(`${text}\n`);
      if (message.type === "result" || isRefusal(message)) this.#turn.resolve();
    }
    this.#turn.resolve();
  }

  /** Asks whether a tool may run. Only a clear yes allows it; any other text is the reason for the denial. */
  async ask(tool: string, input: JsonObject): Promise<PermissionResult> {
    if (tool === "AskUserQuestion") return this.#askUser(input);
    const question = `${safeText(questionText(tool, input))}\nAllow this? y for yes, n for no, or a reason why not: `;
    const answer = (await this.#lines.answer(question))?.trim() ?? "";
    if (/^y(es)?$/i.test(answer)) return { behavior: "allow", updatedInput: input };
    const hasReason = answer !== "" && !/^no?$/i.test(answer);
    return { behavior: "deny", message: hasReason ? `The user said no: ${answer}` : "The user said no." };
  }

  /** Asks the agent's questions one after the other. If one stays unanswered, none counts as answered. */
  async #askUser(input: JsonObject): Promise<PermissionResult> {
    const answers: Record<string, string> = {};
    for (const question of questionsIn(input)) {
      const line =
        (
          await this.#lines.answer(`${safeText(withOptions(question))}\n${answerPrompt(question)}: `)
        )?.trim() ?? "";
      if (line === "") return { behavior: "deny", message: "The user did not answer." };
      answers[question.question] = answerIn(question, line);
    }
    return { behavior: "allow", updatedInput: { ...input, answers } };
  }

  async #prompt(content: string, agent: AgentConnection): Promise<void> {
    this.#turn = deferred();
    this.#isRunning = true;
    // With a uuid, the prompt is reported even if it gets no turn.
    agent.send({ type: "user", message: { role: "user", content }, uuid: randomUUID() });
    await this.#turn.promise;
    this.#isRunning = false;
  }
}

const isRefusal = (message: AgentMessage) =>
  message.type === "command_lifecycle" && message.state === "refused";

/** What to show of a message. The answer arrives as text, so the result is shown only if it failed. */
function asText(message: AgentMessage): string {
  switch (message.type) {
    case "assistant":
      return message.message.content
        .flatMap((block) => {
          if (block.type === "text") return [block.text];
          // Questions to the user are shown when they are asked.
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
