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

/**
 * Files and commands, which agents of the Agent Client Protocol leave to a host that has announced support
 * for them.
 */
export const fileAndTerminalRequests = {
  read_text_file: {
    request: about(
      "X",
      "Our addition, for the acp dialect: has the host read a text file.",
      object({
        subtype: literal("read_text_file"),
        path,
        line: optional(number, "the first line to read, from 1"),
        limit: optional(number, "the number of lines"),
      }),
    ),
    response: object({ content: string }),
  },
  write_text_file: {
    request: about(
      "X",
      "Our addition, for the acp dialect: has the host write a text file.",
      object({ subtype: literal("write_text_file"), path, content: string }),
    ),
    response: acknowledgement,
  },
  create_terminal: {
    request: about(
      "X",
      "Our addition, for the acp dialect: has the host run a command; answered once it has started.",
      object({
        subtype: literal("create_terminal"),
        command: string,
        args: defaulted(array(string), []),
        env: defaulted(record(string), {}),
        cwd: optional(string),
        output_byte_limit: optional(number, "how many bytes are kept, from the end of the output"),
      }),
    ),
    response: object(terminal),
  },
  terminal_output: {
    request: about(
      "X",
      "Our addition, for the acp dialect: asks for a command's output so far.",
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
      "Our addition, for the acp dialect: waits for a command to end.",
      object({ subtype: literal("wait_for_terminal_exit"), ...terminal }),
    ),
    response: object(exit),
  },
  kill_terminal: {
    request: about(
      "X",
      "Our addition, for the acp dialect: ends a command; its output can still be read.",
      object({ subtype: literal("kill_terminal"), ...terminal }),
    ),
    response: acknowledgement,
  },
  release_terminal: {
    request: about(
      "X",
      "Our addition, for the acp dialect: ends a command and discards its output.",
      object({ subtype: literal("release_terminal"), ...terminal }),
    ),
    response: acknowledgement,
  },
};
