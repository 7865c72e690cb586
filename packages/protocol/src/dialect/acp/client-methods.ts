import type { JsonObject } from "../../json.ts";
import { isJsonObject } from "../../json.ts";
import { objectAt, objectsAt, stringAt } from "../spelling.ts";

/** A method that an agent may call at its client, and its request on the canonical wire. */
interface ClientMethod {
  readonly subtype: string;
  /** The canonical request. */
  request(params: JsonObject): JsonObject;
  /** The parameters of the method, besides the session. */
  params(request: JsonObject): JsonObject;
  /** The canonical answer. */
  answer(result: JsonObject): JsonObject;
  /** The result of the method. */
  result(answer: JsonObject): JsonObject;
}

const same = (value: JsonObject) => value;
const none = () => ({});
const terminal = (subtype: string, answer = same, result = same): ClientMethod => ({
  subtype,
  request: ({ terminalId }) => ({ terminal_id: terminalId }),
  params: ({ terminal_id }) => ({ terminalId: terminal_id }),
  answer,
  result,
});

const exitOf = ({ exitCode, signal }: JsonObject) => ({
  exit_code: exitCode ?? null,
  signal: signal ?? null,
});
const acpExit = ({ exit_code, signal }: JsonObject) => ({
  exitCode: exit_code ?? null,
  signal: signal ?? null,
});

/** The file and terminal methods of a client, with the canonical request for each. */
export const CLIENT_METHODS: Readonly<Record<string, ClientMethod>> = {
  "fs/read_text_file": {
    subtype: "read_text_file",
    request: ({ path, line, limit }) => given({ path, line, limit }),
    params: ({ path, line, limit }) => given({ path, line, limit }),
    answer: ({ content }) => ({ content }),
    result: ({ content }) => ({ content }),
  },
  "fs/write_text_file": {
    subtype: "write_text_file",
    request: ({ path, content }) => ({ path, content }),
    params: ({ path, content }) => ({ path, content }),
    answer: none,
    result: none,
  },
  "terminal/create": {
    subtype: "create_terminal",
    request: (params) =>
      given({
        command: params.command,
        args: params.args,
        env: Object.fromEntries(objectsAt(params, "env").map(({ name, value }) => [name, value])),
        cwd: params.cwd,
        output_byte_limit: params.outputByteLimit,
      }),
    params: (request) =>
      given({
        command: request.command,
        args: request.args,
        env: Object.entries(objectAt(request, "env")).map(([name, value]) => ({ name, value })),
        cwd: request.cwd,
        outputByteLimit: request.output_byte_limit,
      }),
    answer: ({ terminalId }) => ({ terminal_id: terminalId }),
    result: ({ terminal_id }) => ({ terminalId: terminal_id }),
  },
  "terminal/output": terminal(
    "terminal_output",
    ({ output, truncated, exitStatus }) =>
      given({ output, truncated, exit_status: isJsonObject(exitStatus) ? exitOf(exitStatus) : undefined }),
    ({ output, truncated, exit_status }) =>
      given({ output, truncated, exitStatus: isJsonObject(exit_status) ? acpExit(exit_status) : undefined }),
  ),
  "terminal/wait_for_exit": terminal("wait_for_terminal_exit", exitOf, acpExit),
  "terminal/kill": terminal("kill_terminal", none, none),
  "terminal/release": terminal("release_terminal", none, none),
};

/** The method for a canonical request, if there is one. */
export function clientMethodFor(request: JsonObject): readonly [string, ClientMethod] | undefined {
  return Object.entries(CLIENT_METHODS).find(([, { subtype }]) => subtype === stringAt(request, "subtype"));
}

/** Only the fields that were given: the protocol uses null for absent ones. */
const given = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined));
