import { literalValue, type Redirect, readShell, type ShellPart } from "@agentwire/protocol/shell";
import { isReadOnlyCall } from "./read-only-programs.ts";

/** Whether a command certainly changes nothing: every part of it is known to only read. In doubt it does change something. */
export function isReadOnlyCommand(command: string): boolean {
  const reading = readShell(command);
  return reading.ok && reading.parts.length > 0 && reading.parts.every(isReadOnlyPart);
}

function isReadOnlyPart({ assignments, words, redirects }: ShellPart): boolean {
  // An assignment such as PATH=... or PAGER=... can make any program run another.
  if (assignments.length > 0 || !redirects.every(isPlainRead)) return false;
  const [program, ...args] = words.map(({ text }) => text);
  // A redirection of a loop or group has no words of its own.
  if (program === undefined) return redirects.length > 0;
  const name = literalValue(program);
  return name !== undefined && isReadOnlyCall(name, args);
}

// A name in /dev may be a network connection.
function isPlainRead({ access, target }: Redirect): boolean {
  const path = literalValue(target.text);
  return access === "read" && path !== undefined && !path.startsWith("/dev/");
}
