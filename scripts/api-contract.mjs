import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OURS = "agentwire.v1";
/** Field numbers in a file descriptor, as its source info uses them. */
const [MESSAGES, ENUMS, SERVICES, NESTED, FIELDS, VALUES, METHODS] = [4, 5, 6, 3, 2, 2, 2];

/** The daemon's contract as `buf` reads it, with comments: services, and messages and enums by their full names. */
export function apiContract() {
  const printed = execFileSync("node_modules/.bin/buf", ["build", "packages/api", "-o", "-#format=json"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const contract = { services: [], messages: new Map(), enums: new Map() };
  for (const file of JSON.parse(printed).file) if (file.package === OURS) addFile(contract, file);
  // The calls between nodes are not a public interface.
  contract.services = contract.services
    .filter(({ name }) => name !== "PeerService")
    .sort((a, b) => a.name.localeCompare(b.name));
  return contract;
}

function addFile(contract, file) {
  const comments = new Map(
    file.sourceCodeInfo.location
      .filter(({ leadingComments, trailingComments }) => leadingComments ?? trailingComments)
      .map(({ path, leadingComments, trailingComments }) => [
        path.join("."),
        (leadingComments ?? trailingComments).replace(/\s+/g, " ").trim(),
      ]),
  );
  const about = (...path) => comments.get(path.join(".")) ?? "";
  for (const [at, { name, method }] of (file.service ?? []).entries())
    contract.services.push({
      name,
      comment: about(SERVICES, at),
      methods: method.map((call, place) => ({ ...call, comment: about(SERVICES, at, METHODS, place) })),
    });
  for (const [at, message] of (file.messageType ?? []).entries())
    addMessage(contract, `.${OURS}`, message, [MESSAGES, at], about);
  for (const [at, values] of (file.enumType ?? []).entries())
    addEnum(contract, `.${OURS}`, values, [ENUMS, at], about);
}

function addMessage(contract, scope, message, path, about) {
  const name = `${scope}.${message.name}`;
  contract.messages.set(name, {
    name: message.name,
    comment: about(...path),
    isMap: message.options?.mapEntry === true,
    oneofs: (message.oneofDecl ?? []).map((choice) => choice.name),
    fields: (message.field ?? []).map((field, at) => ({ ...field, comment: about(...path, FIELDS, at) })),
  });
  for (const [at, nested] of (message.nestedType ?? []).entries())
    addMessage(contract, name, nested, [...path, NESTED, at], about);
  for (const [at, values] of (message.enumType ?? []).entries())
    addEnum(contract, name, values, [...path, ENUMS, at], about);
}

function addEnum(contract, scope, { name, value }, path, about) {
  contract.enums.set(`${scope}.${name}`, {
    name,
    comment: about(...path),
    values: value.map((one, at) => ({ name: one.name, comment: about(...path, VALUES, at) })),
  });
}
