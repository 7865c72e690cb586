import { agentRequests, hostRequests, type RequestTable } from "@agentwire/protocol/control";
import { hookShapes } from "@agentwire/protocol/hooks";
import { agentMessages, contentBlock, systemMessage } from "@agentwire/protocol/messages";
import type { FieldDoc, SchemaDoc } from "@agentwire/protocol/schema";
import type { Contract } from "./contract.ts";

/** What our schemas know about a field: nothing, that it may or must be present, or that anything may be below it. */
export type Knowledge = "unnamed" | "optional" | "required" | "open";

/** How our schemas describe a kind of message; undefined if they do not know it. */
export function docOf(kind: string): SchemaDoc | undefined {
  const slash = kind.indexOf("/");
  const family = slash < 0 ? kind : kind.slice(0, slash);
  const name = kind.slice(slash + 1);
  switch (family) {
    case "system":
      return systemMessage.table.get(name)?.doc();
    case "hook":
      return hookShapes.get(name)?.input.doc();
    case "control_request":
      return requestIn(agentRequests, name)?.request.doc();
    case "control_response":
      return name === "error" ? OPEN : requestIn(hostRequests, name)?.response.doc();
    default:
      return agentMessages.get(family)?.doc();
  }
}

const OPEN: SchemaDoc = { type: "object" };

const requestIn = (table: RequestTable, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** What our schemas know about a field, by its path in a contract. */
export function knowledgeOf(doc: SchemaDoc, path: string): Knowledge {
  let current: SchemaDoc | undefined = doc;
  let known: Knowledge = "open";
  for (const segment of path.split(".")) {
    if (segment === "*") continue;
    if (current?.fields === undefined) return "open";
    const [, name = "", tag] = /^([^[]*)(?:\[(.*)\])?$/.exec(segment) ?? [];
    const field: FieldDoc | undefined = current.fields.find((one) => one.name === name);
    if (field === undefined) return "unnamed";
    known = field.presence === "required" ? "required" : "optional";
    current = name === "content" && tag ? contentBlock.table.get(tag)?.doc() : field.doc;
    if (current === undefined) return "unnamed";
  }
  return known;
}

/** What an agent writes that our schemas do not name; an unnamed kind is listed as a whole. */
export function unnamedIn({ messages }: Contract): readonly string[] {
  return Object.entries(messages).flatMap(([kind, fields]) => {
    const doc = docOf(kind);
    if (doc === undefined) return [kind];
    const unnamed = Object.keys(fields)
      .map(plain)
      .filter((path) => knowledgeOf(doc, path) === "unnamed");
    return unnamed
      .filter(
        (path) => !unnamed.some((other) => path.startsWith(`${other}.`) || path.startsWith(`${other}[`)),
      )
      .map((path) => `${kind}: ${path}`);
  });
}

/** The path of a field without the mark that it may be absent. */
export const plain = (path: string) => path.replace(/\?$/, "");
