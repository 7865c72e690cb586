import type { DescMessage } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { DaemonError } from "../errors.ts";

/** Fields that may be as long as a message; all others are names, paths or keys. */
const LONG: ReadonlySet<string> = new Set([
  "prompt",
  "text",
  "content_json",
  "input_json",
  "updated_input_json",
  "answers",
  "message",
  "hunk",
  // Part of reflection's answers; it is only looked up, not stored.
  "original_request",
]);
const MAX_CHARS = 4096;

/** Rejects overlong texts: a title, for example, is stored, listed and sent to everyone. */
export const textLimits: Interceptor = (next) => (request) => {
  const { input } = request.method;
  if (!request.stream) {
    check(input, request.message);
    return next(request);
  }
  return next({ ...request, message: checked(input, request.message) });
};

async function* checked<T extends object>(
  schema: DescMessage,
  messages: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const message of messages) {
    check(schema, message);
    yield message;
  }
}

/** Terminates because no message type of the API contains itself. */
function check(schema: DescMessage, message: object): void {
  const values = message as Readonly<Record<string, unknown>>;
  for (const member of schema.members) {
    const held = values[member.localName];
    if (member.kind === "oneof") {
      const { case: name, value } = held as { readonly case?: string; readonly value?: unknown };
      const field = member.fields.find(({ localName }) => localName === name);
      if (field) checkField(field.name, field.message, value);
    } else checkField(member.name, member.message, held);
  }
}

function checkField(name: string, schema: DescMessage | undefined, value: unknown): void {
  if (LONG.has(name) || value === undefined) return;
  for (const one of Array.isArray(value) ? value : [value]) {
    if (typeof one === "string" && one.length > MAX_CHARS)
      throw new DaemonError("INVALID_ARGUMENT", `${name}: give at most ${MAX_CHARS} characters`);
    if (schema && typeof one === "object" && one !== null) check(schema, one);
  }
}
