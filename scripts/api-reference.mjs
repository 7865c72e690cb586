import { apiContract } from "./api-contract.mjs";

/** docs/api.md: every service, call, message and enum of the daemon's API, from the comments in the contract. */
export function apiReference() {
  const { services, messages, enums } = apiContract();
  const shown = [...messages].filter(([name, { isMap }]) => !isMap && !isPeers(name));
  return `# The daemon's API

Made by \`npm run docs\` from \`packages/api/proto\`. One contract, \`agentwire.v1\`, at one address: Connect, gRPC, gRPC-Web, and JSON by \`POST /agentwire.v1.SERVICE/CALL\`, which
[an OpenAPI description](guides/clients.md#openapi) has too. [Clients](guides/clients.md) in TypeScript, Python and Go; [tokens and scopes](guides/security.md#tokens).

## Services

${services.map((service) => serviceSection(service)).join("\n")}
## Messages

${shown.map(([, message]) => messageSection(messages, message)).join("\n")}
## Enums

${[...enums.values()].map(enumSection).join("\n")}`;
}

const isPeers = (name) => /\.(?:Relay|ClientLeft|TakeUp|HasFolder)/.test(name);

function serviceSection({ name, comment, methods }) {
  const rows = methods.map(({ name, comment, inputType, outputType, clientStreaming, serverStreaming }) => {
    const stream = (is, type) => `${is ? "stream of " : ""}${link(type)}`;
    return `| \`${name}\` | ${stream(clientStreaming, inputType)} | ${stream(serverStreaming, outputType)} | ${comment} |`;
  });
  return `### ${name}

${comment ? `${comment}\n\n` : ""}| call | takes | gives | |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function messageSection(messages, { name, comment, fields, oneofs }) {
  const rows = fields.map((field) => {
    const choice = field.oneofIndex === undefined || field.proto3Optional ? "" : oneofs[field.oneofIndex];
    const note = [choice && `one of \`${choice}\``, field.comment].filter(Boolean).join("; ");
    return `| \`${field.jsonName}\` | ${typeOf(messages, field)} | ${field.number} | ${note} |`;
  });
  const table =
    rows.length === 0
      ? "No fields.\n"
      : `| field | type | number | |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
  return `### ${name}\n\n${comment ? `${comment}\n\n` : ""}${table}`;
}

function enumSection({ name, comment, values }) {
  return `### ${name}

${comment ? `${comment}\n\n` : ""}| value | |
| --- | --- |
${values.map((value) => `| \`${value.name}\` | ${value.comment} |`).join("\n")}
`;
}

function typeOf(messages, { type, typeName, label, proto3Optional }) {
  const entry = messages.get(typeName);
  if (entry?.isMap) {
    const [key, value] = entry.fields;
    return `map of ${scalar(key)} to ${scalar(value)}`;
  }
  const one = scalar({ type, typeName });
  if (label === "LABEL_REPEATED") return `list of ${one}`;
  return proto3Optional ? `${one}, optional` : one;
}

function scalar({ type, typeName }) {
  return typeName ? link(typeName) : type.replace("TYPE_", "").toLowerCase();
}

function link(typeName) {
  const name = typeName.split(".").at(-1);
  return typeName.startsWith(".google.") ? name : `[${name}](#${name.toLowerCase()})`;
}
