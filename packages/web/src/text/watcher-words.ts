import type { Attendee } from "@agentwire/api";
import { many } from "./words.ts";

const NAMED = 3;

/** Says who else is watching the session or typing; empty if no one is. */
export function watcherWords(others: readonly Attendee[], isOurs: (client: string) => boolean): string {
  const names = others.map(({ client, typing }) => ({
    name: isOurs(client) ? "another of your tabs" : client,
    typing,
  }));
  const typists = names.filter(({ typing }) => typing).map(({ name }) => name);
  const watchers = names.filter(({ typing }) => !typing).map(({ name }) => name);
  return [clause(typists, "typing"), clause(watchers, "watching")].filter(Boolean).join(" · ");
}

function clause(names: readonly string[], what: string): string {
  if (names.length === 0) return "";
  const unique = [...new Set(names)];
  const more = unique.length - NAMED;
  const list = [...unique.slice(0, NAMED), ...(more > 0 ? [many(more, "other")] : [])];
  const text = list.length === 1 ? list[0] : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
  return `${text} ${list.length === 1 ? "is" : "are"} ${what}`;
}
