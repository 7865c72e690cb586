import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { objectsAt, stringAt } from "../spelling.ts";

/** A tool call as reported to an editor. */
export interface ShownCall {
  readonly title: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
  readonly content: ToolCallContent[];
}

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ["Read", "read"],
  ["NotebookRead", "read"],
  ["LS", "search"],
  ["Glob", "search"],
  ["Grep", "search"],
  ["ToolSearch", "search"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["Write", "edit"],
  ["NotebookEdit", "edit"],
  ["Bash", "execute"],
  ["BashOutput", "execute"],
  ["KillShell", "execute"],
  ["WebFetch", "fetch"],
  ["WebSearch", "fetch"],
  ["Task", "think"],
  ["Agent", "think"],
  ["TodoWrite", "think"],
  ["EnterPlanMode", "switch_mode"],
  ["ExitPlanMode", "switch_mode"],
]);

const TITLE_LENGTH = 200;

/** A tool call as an editor shows it: its kind, a title, the files it affects, and changes to them as diffs. */
export function shownCall(name: string, input: JsonObject): ShownCall {
  const path = pathIn(input);
  return {
    title: titleOf(name, input, path),
    name,
    kind: KINDS.get(name) ?? "other",
    locations: path === undefined ? [] : [{ path, ...lineIn(input) }],
    content: path === undefined ? planText(name, input) : changes(name, input, path),
  };
}

const PATHS = ["file_path", "notebook_path", "path", "filePath", "abs_path", "absolute_path"] as const;

/** The file or folder that the input of a tool names. */
function pathIn(input: JsonObject): string | undefined {
  for (const name of PATHS) {
    const path = stringAt(input, name);
    if (path !== undefined && path !== "") return path;
  }
  return undefined;
}

const lineIn = ({ offset }: JsonObject) =>
  typeof offset === "number" && Number.isInteger(offset) && offset > 0 ? { line: offset } : {};

function titleOf(name: string, input: JsonObject, path: string | undefined): string {
  const subject =
    stringAt(input, "command") ??
    path ??
    stringAt(input, "url") ??
    stringAt(input, "query") ??
    stringAt(input, "pattern") ??
    stringAt(input, "description");
  const title = subject === undefined ? name : name === "Bash" ? subject : `${name} ${subject}`;
  const [line = ""] = title.trim().split("\n", 1);
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH)}…` : line || name;
}

function changes(name: string, input: JsonObject, path: string): ToolCallContent[] {
  const change = (oldText: string | null, newText: string): ToolCallContent => ({
    type: "diff",
    path,
    oldText,
    newText,
  });
  if (name === "Write") return [change(null, stringAt(input, "content") ?? "")];
  if (name === "NotebookEdit") return [change(null, stringAt(input, "new_source") ?? "")];
  const edits = name === "MultiEdit" ? objectsAt(input, "edits") : name === "Edit" ? [input] : [];
  return edits.map((edit) => change(stringAt(edit, "old_string") ?? "", stringAt(edit, "new_string") ?? ""));
}

function planText(name: string, input: JsonObject): ToolCallContent[] {
  const text = name === "ExitPlanMode" ? stringAt(input, "plan") : undefined;
  return text === undefined ? [] : [{ type: "content", content: { type: "text", text } }];
}

/** A call under its canonical name, so that rules judge it by what it does, whatever the agent calls its tools. */
export interface NamedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/**
 * The tool call behind an agent's report of it. What the call does decides its name; the agent's own name for
 * it counts only if it is that of a canonical tool that does the same.
 */
export function namedCall(update: JsonObject): NamedCall {
  const raw = isJsonObject(update.rawInput) ? update.rawInput : {};
  const [path] = pathsOf(update, raw);
  const told = stringAt(update, "name") ?? "";
  const isKnown = update.kind !== undefined && KINDS.get(told) === update.kind && pathIn(raw) === path;
  const named = (name: string, more: JsonObject): NamedCall => ({ name, input: { ...raw, ...more } });
  switch (update.kind) {
    case "execute": {
      const command = commandOf(raw);
      if (command === undefined && isKnown) return named(told, {});
      return named("Bash", { command: command ?? plainTitle(update) });
    }
    case "read":
      if (path === undefined) return other(update, raw);
      return isKnown ? named(told, {}) : named("Read", { file_path: path });
    case "edit":
    case "delete":
    case "move":
      if (path === undefined) return other(update, raw);
      return isKnown ? named(told, {}) : editing(update, raw, path);
    case "search":
      if (isKnown) return named(told, {});
      return named("Grep", {
        pattern: stringAt(raw, "pattern") ?? stringAt(raw, "query") ?? plainTitle(update),
        ...(path !== undefined && { path }),
      });
    case "fetch":
      return isKnown ? named(told, {}) : fetching(update, raw);
    case "switch_mode":
      return isKnown
        ? named(told, {})
        : named("ExitPlanMode", { plan: stringAt(raw, "plan") ?? textOf(update) });
    default:
      return other(update, raw);
  }
}

function fetching(update: JsonObject, raw: JsonObject): NamedCall {
  const title = plainTitle(update);
  const url = stringAt(raw, "url") ?? /https?:\/\/[^\s"'`)]+/.exec(title)?.[0];
  return url === undefined
    ? { name: "WebSearch", input: { ...raw, query: stringAt(raw, "query") ?? title } }
    : { name: "WebFetch", input: { ...raw, url } };
}

/** Every file that a call affects: rules must see each of them. */
export function pathsOf(update: JsonObject, raw: JsonObject): readonly string[] {
  const told = [...objectsAt(update, "content"), ...objectsAt(update, "locations")];
  const given = pathIn(raw);
  return [
    ...new Set([
      ...told.flatMap((one) => stringAt(one, "path") ?? []),
      ...(given === undefined ? [] : [given]),
    ]),
  ];
}

function editing(update: JsonObject, raw: JsonObject, path: string): NamedCall {
  const diff = objectsAt(update, "content").find(({ type }) => type === "diff");
  const { oldText, newText } = diff ?? {};
  if (typeof newText !== "string") return { name: "Edit", input: { ...raw, file_path: path } };
  return typeof oldText === "string" && oldText !== ""
    ? { name: "Edit", input: { ...raw, file_path: path, old_string: oldText, new_string: newText } }
    : { name: "Write", input: { ...raw, file_path: path, content: newText } };
}

/** A call of a kind that rules have no name for: by its name, else by its title. */
function other(update: JsonObject, raw: JsonObject): NamedCall {
  const title = plainTitle(update);
  const name = stringAt(update, "name") ?? title;
  if (/^[\w.-]{1,128}$/.test(name)) return { name, input: raw };
  return { name: "Tool", input: { ...(title !== "" && { description: title }), ...raw } };
}

function commandOf(raw: JsonObject): string | undefined {
  const command = raw.command ?? raw.cmd;
  if (Array.isArray(command)) return command.map(String).map(quoted).join(" ");
  return typeof command === "string" ? command : undefined;
}

/** Quotes a word as a shell reads it, so that a rule sees where it begins and ends. */
const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Titles are Markdown: a command is in backticks. */
const plainTitle = (update: JsonObject) => (stringAt(update, "title") ?? "").replace(/^`+|`+$/g, "");

/** The text in the content of a call. */
export const textOf = (update: JsonObject): string =>
  objectsAt(update, "content")
    .flatMap(({ type, content }) =>
      type === "content" && isJsonObject(content) && content.type === "text"
        ? (stringAt(content, "text") ?? [])
        : [],
    )
    .join("\n");
