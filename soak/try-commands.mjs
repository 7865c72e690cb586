import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { loadAgent, openGate } from "./agent-gate.mjs";
import { isShell, run, snapshot } from "./caged-run.mjs";
import { makePlace, PLACES } from "./hostile-places.mjs";
import { knownPrograms } from "./known-programs.mjs";
import { randomFrom } from "./random.mjs";
import { makeCommand } from "./random-command.mjs";

/** The shells in which the agent runs commands. */
export const SHELLS = ["bash", "zsh"];
/** The number of commands that are run before their effects are checked. */
const BATCH = 40;
/** Programs that git and the shells start, in addition to the read-only ones. */
const OWN = new Set(["git", "find", "echo", "printf", "true", "false"]);
const SYSTEM = /^\/(?:usr\/)?(?:local\/)?(?:s?bin|lib(?:exec)?\/git-core)\//;

/** An error that names the programs missing for this test and how to install them; undefined if none is missing. */
export function missingPrograms(shells) {
  const needed = {
    bwrap: "bubblewrap",
    strace: "strace",
    git: "git",
    ...Object.fromEntries(shells.map((shell) => [shell, shell])),
  };
  const missing = Object.entries(needed).filter(([program]) => spawnSync(program, ["--version"]).error);
  if (missing.length === 0) return undefined;
  const names = missing.map(([program]) => program).join(", ");
  return `Commands can't be tried without ${names}. On Debian: apt-get install ${missing.map(([, name]) => name).join(" ")}`;
}

/**
 * Generates this many commands for a shell and runs those that the agent would run without a question, in ordinary and hostile
 * repositories. Returns their number, and each one that changed a file or started a program that is not on the agent's list.
 */
export async function tryCommands({ count, seed, shell, tell = () => {}, signal }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-commands-")));
  try {
    const agent = await loadAgent(base);
    const programs = knownPrograms(agent.READERS);
    const random = randomFrom(seed);
    const places = [];
    for (const kind of PLACES) {
      const place = makePlace(kind, base);
      places.push({
        ...place,
        gate: await openGate(agent, place.cwd, base),
        before: snapshot(place),
        waiting: new Map(),
      });
    }
    const trial = { base, shell, agent, found: [], ran: 0 };
    let made = 0;
    for (; made < count && !signal?.aborted; made++) {
      // Half of them in an ordinary repository.
      const place = random.chance(0.5) ? places[0] : random.pick(places);
      const command = makeCommand(random, shell, programs);
      const verdict = await place.gate.unasked(command);
      if (verdict) gather(trial, place, command, verdict.quietGit === true);
      if (made % 1000 === 999)
        tell(`${shell}: ${made + 1} of ${count} commands, ${trial.ran} run, ${trial.found.length} found`);
    }
    for (const place of places) for (const isQuiet of place.waiting.keys()) runBatch(trial, place, isQuiet);
    return { shell, count: made, ran: trial.ran, found: trial.found };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function gather(trial, place, command, isQuiet) {
  const batch = place.waiting.get(isQuiet) ?? [];
  place.waiting.set(isQuiet, [...batch, command]);
  if (batch.length + 1 >= BATCH) runBatch(trial, place, isQuiet);
}

/** Runs the collected commands; if there is a finding, runs each separately to identify it. */
function runBatch(trial, place, isQuiet) {
  const commands = place.waiting.get(isQuiet) ?? [];
  place.waiting.set(isQuiet, []);
  if (commands.length === 0) return;
  trial.ran += commands.length;
  const together = whatHappened(trial, place, commands, isQuiet);
  if (together.length === 0) return;
  const before = trial.found.length;
  for (const command of commands)
    for (const what of whatHappened(trial, place, [command], isQuiet))
      trial.found.push({ place: place.kind, command, what });
  if (trial.found.length === before)
    trial.found.push({ place: place.kind, command: commands.join("\n"), what: together.join("; ") });
}

function whatHappened({ base, shell, agent }, place, commands, isQuiet) {
  const { quietGit, READERS, AS_JUDGED } = agent;
  const environment = isQuiet ? quietGit({}) : {};
  const started = run(commands, { base, place, shell, script: AS_JUDGED, environment });
  const isKnown = (path) =>
    SYSTEM.test(path) && !isShell(path) && (OWN.has(basename(path)) || READERS.has(basename(path)));
  const happened = [...new Set(started.filter((path) => !isKnown(path)))].map((path) => `started ${path}`);
  if (snapshot(place) !== place.before) {
    place.restore();
    happened.push("changed a file");
  }
  return happened;
}
