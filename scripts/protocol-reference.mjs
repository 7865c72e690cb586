import { agentRequests, hostRequests } from "@agentwire/protocol/control";
import { hookShapes } from "@agentwire/protocol/hooks";
import {
  agentMessages,
  apiEvent,
  contentBlock,
  hostMessages,
  systemMessage,
} from "@agentwire/protocol/messages";
import { permissionUpdate } from "@agentwire/protocol/permission";

const INTRO = `# The wire

Generated from the schemas in \`packages/protocol/src\` by \`npm run docs\`; a test keeps it true. Newline-delimited JSON, one object
per line, both ways. Whatever is not listed here is kept and passed on.

**Marks.** E: essential for ordinary use. R: recommended. X: extra, peers work without.
**Presence.** *optional* fields may be absent; fields *defaulted* are always there for the reader, whatever an older agent left out.
**Names.** \`a.b\` is a field of the object \`a\`, \`a[].b\` one of each object in the list \`a\`, \`a.*.b\` one of each in the map \`a\`.
`;

/** The reference of every message, request and hook, as Markdown. */
export function protocolReference() {
  return [
    INTRO,
    "## Messages of an agent\n",
    ...section(withoutSystem(agentMessages), (type) => `\`${type}\``),
    "## System messages of an agent\n",
    ...section(systemMessage.table, (subtype) => `\`system/${subtype}\``),
    "## Messages of a host\n",
    ...section(withoutReplayed(hostMessages), (type) => `\`${type}\``),
    "## Requests of a host\n",
    ...requests(hostRequests),
    "## Requests of an agent\n",
    ...requests(agentRequests),
    "## Hooks\n",
    ...hooks(),
    "## Content blocks (`ContentBlock`)\n",
    ...section(contentBlock.table, (type) => `\`${type}\``),
    "## Events of the model's stream (`event` of a `stream_event`)\n",
    ...section(apiEvent.table, (type) => `\`${type}\``),
    "## Permission updates (`PermissionUpdate`)\n",
    ...section(permissionUpdate.table, (type) => `\`${type}\``),
  ].join("\n");
}

const withoutSystem = (table) => [...table].filter(([type]) => type !== "system");
const withoutReplayed = (table) => [...table].filter(([type]) => type !== "system" && type !== "assistant");

function section(entries, title) {
  return [...entries].flatMap(([name, schema]) => [
    ...heading(title(name), schema.doc()),
    ...fieldTable(schema.doc()),
  ]);
}

function requests(table) {
  return Object.entries(table).flatMap(([subtype, { request, response }]) => [
    ...heading(`\`${subtype}\``, request.doc()),
    ...fieldTable(request.doc()),
    ...(response.doc().fields?.length ? ["Answer:\n", ...fieldTable(response.doc())] : []),
  ]);
}

function hooks() {
  return [...hookShapes].flatMap(([event, { input, output }]) => [
    ...heading(`\`${event}\``, input.doc()),
    ...fieldTable(input.doc()),
    ...(output?.doc().fields?.length ? ["Output:\n", ...fieldTable(output.doc())] : []),
  ]);
}

function heading(title, { mark, about }) {
  return [`### ${title}${mark ? ` (${mark})` : ""}\n`, ...(about ? [`${about}\n`] : [])];
}

const TAGS = new Set(["type", "subtype", "hook_event_name", "hookEventName"]);

function fieldTable({ fields = [] }) {
  const rows = fields.filter(({ name }) => !TAGS.has(name)).flatMap((field) => rowsOf(field, ""));
  if (rows.length === 0) return [];
  return ["| field | type | presence | |", "| --- | --- | --- | --- |", ...rows, ""];
}

function rowsOf({ name, doc, presence, note }, path) {
  const own = `${path}${name}`;
  const inner = (doc.fields ?? []).flatMap((field) => rowsOf(field, `${own}${joint(doc.type)}`));
  const type = inner.length > 0 ? outline(doc.type) : doc.type;
  const shown = type.replaceAll("|", "\\|");
  return [
    `| \`${own}\` | \`${shown}\` | ${presence === "required" ? "" : presence} | ${note ?? ""} |`,
    ...inner,
  ];
}

/** The path of a nested field. */
function joint(type) {
  if (type.replace(/ \| null$/, "").endsWith("[]")) return "[].";
  return type.startsWith("{[key]") ? ".*." : ".";
}

/** The type of a field whose own fields follow. */
function outline(type) {
  const orNull = type.endsWith(" | null") ? " | null" : "";
  return { "[].": "object[]", ".*.": "{[key]: object}", ".": "object" }[joint(type)] + orNull;
}
