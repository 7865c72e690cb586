import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PACKAGES = fileURLToPath(new URL("../../../", import.meta.url));

/** Process-wide state and the files that may use it, none of them on behalf of one of many sessions. */
const OF_THE_PROCESS: Readonly<Record<string, readonly string[]>> = {
  // The program itself: its own streams and signals.
  "agent/src/main.ts": ["process.stdin", "process.stdout", "process.stderr"],
  "agent/src/listen/listen.ts": [
    "process.stdin",
    "process.stdout",
    "process.stderr",
    "process.on",
    "process.umask",
  ],
  "agent/src/serve/end-signals.ts": ["process.on", "process.off"],
  // Commands that run instead of a conversation do not share the process.
  "agent/src/commands/trust.ts": ["process.stdin", "process.stderr"],
  "agent/src/commands/doctor.ts": ["process.argv"],
  // The environment of the process, for its only session.
  "agent/src/config/config.ts": ["process.env", "process.cwd"],
  // The default for programs that are not agents.
  "local/src/files/config-folder.ts": ["process.env"],
  // A session at a cloud never shares its process.
  "agent/src/model/cloud-connection.ts": ["process.env"],
  // Removes the files of all sessions, if the process exits before they end.
  "agent/src/tools/bash/profile.ts": ["process.on", "process.off"],
  // To other processes.
  "local/src/process/signal-group.ts": ["process.kill"],
};

/** Mutable module variables: caches of values that are the same for all sessions, and things that exist once per process. */
const CHANGING: Readonly<Record<string, readonly string[]>> = {
  "agent/src/event-loop.ts": ["turnBegan"],
  "agent/src/mcp/transport/sharing.ts": ["connections"],
  "agent/src/sandbox/runtime.ts": ["runtime", "askLast", "users"],
  "agent/src/shell/options.ts": ["known"],
  "agent/src/tools/bash/command.ts": ["programs", "profiles"],
  "agent/src/tools/bash/profile.ts": ["files"],
  "agent/src/tools/bash/ready-shell.ts": ["shells", "last"],
  "agent/src/turn/held.ts": ["known"],
  "agent/src/watch/file-watch.ts": ["shared"],
  "local/src/process/guard.ts": ["guard", "users"],
  "local/src/process/process-table.ts": ["recent"],
  "models/src/http/node-fetch.ts": ["direct"],
  "protocol/src/lines/decode.ts": ["repaired"],
  "protocol/src/permission/rule/bash/pattern.ts": ["known"],
};

const GLOBAL =
  /\bprocess\.(?:cwd|chdir|env|stdin|stdout|stderr|exit|exitCode|on|once|off|kill|umask|argv)\b/g;
/** A module-level `let`, or an empty collection that is filled later. */
const VARIABLE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?::[^=]+)? = new (?:Weak)?(?:Map|Set)(?:<[^()]*>)?\(\))/gm;

const sources = ["agent", "models", "local", "protocol"].flatMap((name) =>
  readdirSync(join(PACKAGES, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(PACKAGES, name, "src", file)),
);

function foundBy(pattern: RegExp): Record<string, readonly string[]> {
  const found = sources.map((file) => {
    const matches = readFileSync(file, "utf8").matchAll(pattern);
    const words = Array.from(matches, ([whole, first, second]) => first ?? second ?? whole);
    return [relative(PACKAGES, file), [...new Set(words)].sort()] as const;
  });
  return Object.fromEntries(found.filter(([, words]) => words.length > 0));
}

const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(table).map(([file, words]) => [file, [...words].sort()]));

test("process-wide state is used only where no particular session is concerned", () => {
  expect(foundBy(GLOBAL)).toEqual(sorted(OF_THE_PROCESS));
});

test("modules hold no state of a session", () => {
  expect(foundBy(VARIABLE)).toEqual(sorted(CHANGING));
});
