import type { InitializeRequest } from "@agentclientprotocol/sdk";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { objectAt, objectsAt, shown, stringAt } from "../spelling.ts";
import { ACP_ERRORS, ACP_VERSION, EXTENSION, isOurs, OURS, type Outcome } from "./calls.ts";
import { acpServers, type Change, type SessionChoices } from "./session-options.ts";

/** Sends a request of the host; `settle` receives the outcome. */
type Send = (method: string, params: object, settle: (outcome: Outcome) => void) => void;

/** Opens a session of an agent: greeting, login, a new or earlier conversation, and the settings wanted for it. */
export class Opening {
  readonly #wanted: JsonObject;
  readonly #choices: SessionChoices;
  readonly #send: Send;
  readonly #done: (refusal: string | undefined) => void;
  #capabilities: JsonObject = {};
  #info: JsonObject = {};
  #authMethods: readonly JsonObject[] = [];
  #sessionId = "";

  /** `wanted` is the `session` of `initialize`; `done` is called once, with the reason if there is no session. */
  constructor(
    wanted: JsonObject,
    choices: SessionChoices,
    send: Send,
    done: (refusal: string | undefined) => void,
  ) {
    this.#wanted = wanted;
    this.#choices = choices;
    this.#send = send;
    this.#done = done;
  }

  /** The id of the session. */
  get sessionId(): string {
    return this.#sessionId;
  }

  /** Whether the agent is one of ours. */
  get isOurs(): boolean {
    return isOurs(this.#capabilities);
  }

  /** The name that the agent announced. */
  get name(): string {
    return stringAt(this.#info, "title") ?? stringAt(this.#info, "name") ?? "the agent";
  }

  /** The version that the agent announced. */
  get version(): string {
    return stringAt(this.#info, "version") ?? "";
  }

  /** Greets the agent. */
  begin(): void {
    const can = (name: string) => this.#wanted[name] === true;
    const params: InitializeRequest = {
      protocolVersion: ACP_VERSION,
      clientCapabilities: {
        fs: { readTextFile: can("files"), writeTextFile: can("files") },
        terminal: can("terminals"),
        ...(can("elicitation") && { elicitation: { form: {}, url: {} } }),
        session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
        _meta: OURS,
      },
      clientInfo: { name: "agentwire", version: "0.1.0" },
    };
    this.#send("initialize", params, (outcome) => this.#greeted(outcome));
  }

  #greeted(outcome: Outcome): void {
    if (!outcome.ok) {
      this.#done(`the agent refused to initialize: ${outcome.error}`);
      return;
    }
    const { protocolVersion } = outcome.result;
    this.#capabilities = objectAt(outcome.result, "agentCapabilities");
    this.#info = objectAt(outcome.result, "agentInfo");
    this.#authMethods = objectsAt(outcome.result, "authMethods");
    if (protocolVersion === ACP_VERSION) this.#logIn();
    else
      this.#done(
        `${this.name} speaks version ${shown(protocolVersion)} of the Agent Client Protocol, but this host speaks version ${ACP_VERSION}`,
      );
  }

  #logIn(): void {
    const methodId = stringAt(this.#wanted, "auth_method");
    if (methodId === undefined) this.#open();
    else
      this.#send("authenticate", { methodId }, (outcome) => {
        if (outcome.ok) this.#open();
        else this.#done(`${this.name} did not accept the login ${methodId}: ${outcome.error}`);
      });
  }

  #open(): void {
    const { cwd, resume, mcp_servers, additional_directories } = this.#wanted;
    const takesFolders = isJsonObject(
      objectAt(this.#capabilities, "sessionCapabilities").additionalDirectories,
    );
    const params = {
      cwd: typeof cwd === "string" ? cwd : "/",
      mcpServers: acpServers(isJsonObject(mcp_servers) ? mcp_servers : {}),
      ...(takesFolders &&
        Array.isArray(additional_directories) && { additionalDirectories: additional_directories }),
    };
    const method = typeof resume === "string" ? this.#resumeMethod() : "session/new";
    if (method === undefined)
      this.#done(`${this.name} can't resume an earlier conversation: start a new session`);
    else
      this.#send(method, typeof resume === "string" ? { ...params, sessionId: resume } : params, (outcome) =>
        this.#opened(outcome, typeof resume === "string" ? resume : undefined, method === "session/load"),
      );
  }

  #resumeMethod(): string | undefined {
    const { sessionCapabilities, loadSession } = this.#capabilities;
    if (isJsonObject(sessionCapabilities) && isJsonObject(sessionCapabilities.resume))
      return "session/resume";
    return loadSession === true ? "session/load" : undefined;
  }

  #opened(outcome: Outcome, resumed: string | undefined, isLoaded: boolean): void {
    if (!outcome.ok) {
      const what =
        resumed === undefined ? "could not start a session" : `could not resume the session ${resumed}`;
      const isLogin = outcome.code === ACP_ERRORS.authRequired;
      this.#done(isLogin ? this.#loginText(outcome.error) : `${this.name} ${what}: ${outcome.error}`);
      return;
    }
    this.#sessionId = stringAt(outcome.result, "sessionId") ?? resumed ?? "";
    this.#choices.hear(outcome.result);
    const choose = () =>
      this.#choose("permission_mode", () => this.#choose("model", () => this.#done(undefined)));
    // Some agents still replay the history after they have answered that it is loaded, but all of it arrives
    // before the next answer.
    if (isLoaded && !this.isOurs) this.#send(EXTENSION.settled, {}, choose);
    else choose();
  }

  /** Applies the wanted settings before anyone uses the session. */
  #choose(name: "permission_mode" | "model", next: () => void): void {
    const value = stringAt(this.#wanted, name) ?? "";
    const isMode = name === "permission_mode";
    const isSo = isMode ? value === "default" || value === this.#choices.mode : value === this.#choices.model;
    if (value === "" || isSo) {
      next();
      return;
    }
    const change = isMode
      ? this.#choices.setMode(this.#sessionId, value)
      : this.#choices.setModel(this.#sessionId, value);
    applyChange(change, this.#choices, this.#send, (refusal) => {
      if (refusal === undefined) next();
      else this.#done(refusal);
    });
  }

  #loginText(error: string): string {
    const methods = this.#authMethods.map(({ id, name }) => `${shown(id)} (${shown(name)})`).join(", ");
    return `${this.name} requires a login first: ${error}. Log in with its own program, or name one of its methods as auth_method: ${methods || "it has none"}`;
  }
}

/** Asks the agent for a change and records it; `done` receives the reason if it fails. */
export function applyChange(
  change: Change,
  choices: SessionChoices,
  send: Send,
  done: (refusal: string | undefined) => void,
): void {
  if ("refusal" in change) {
    done(change.refusal);
    return;
  }
  const { method, params } = change;
  send(method, params, (outcome) => {
    if (outcome.ok)
      choices.hear({ currentModeId: params.modeId, currentModelId: params.modelId, ...outcome.result });
    done(outcome.ok ? undefined : outcome.error);
  });
}
