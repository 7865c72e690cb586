import { array, record } from "../schema/collection.ts";
import { defaulted, object, optional, required } from "../schema/object.ts";
import { boolean, literal, nullable, number, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { acknowledgement } from "./request-table.ts";

const path = required(string, "absolute");
const terminal = { terminal_id: string };
const exit = {
  exit_code: defaulted(nullable(number), null, "null: ended by a signal"),
  signal: defaulted(nullable(string), null),
};

/** What agents of the Agent Client Protocol leave to their host, if it said that it does it: files and commands. */
export const fileAndTerminalRequests = {
  read_text_file: {
    request: about(
      "X",
      "Our own, for the acp dialect: has the host read a text file.",
      object({
        subtype: literal("read_text_file"),
        path,
        line: optional(number, "the first line to read, from 1"),
        limit: optional(number, "how many lines"),
      }),
    ),
    response: object({ content: string }),
  },
  write_text_file: {
    request: about(
      "X",
      "Our own, for the acp dialect: has the host write a text file.",
      object({ subtype: literal("write_text_file"), path, content: string }),
    ),
    response: acknowledgement,
  },
  create_terminal: {
    request: about(
      "X",
      "Our own, for the acp dialect: has the host run a command; answered once it runs.",
      object({
        subtype: literal("create_terminal"),
        command: string,
        args: defaulted(array(string), []),
        env: defaulted(record(string), {}),
        cwd: optional(string),
        output_byte_limit: optional(number, "how much of the end of its output is kept"),
      }),
    ),
    response: object(terminal),
  },
  terminal_output: {
    request: about(
      "X",
      "Our own, for the acp dialect: asks for what a command has written so far.",
      object({ subtype: literal("terminal_output"), ...terminal }),
    ),
    response: object({
      output: string,
      truncated: defaulted(boolean, false),
      exit_status: optional(object(exit), "absent while it runs"),
    }),
  },
  wait_for_terminal_exit: {
    request: about(
      "X",
      "Our own, for the acp dialect: answered when a command has ended.",
      object({ subtype: literal("wait_for_terminal_exit"), ...terminal }),
    ),
    response: object(exit),
  },
  kill_terminal: {
    request: about(
      "X",
      "Our own, for the acp dialect: ends a command; its output can still be asked for.",
      object({ subtype: literal("kill_terminal"), ...terminal }),
    ),
    response: acknowledgement,
  },
  release_terminal: {
    request: about(
      "X",
      "Our own, for the acp dialect: ends a command and forgets its output.",
      object({ subtype: literal("release_terminal"), ...terminal }),
    ),
    response: acknowledgement,
  },
};
