import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "@agentwire/local/files";
import { type KnownGroup, knownGroup, livingGroups, outliveGroups } from "@agentwire/local/process";
import type { Log } from "@agentwire/protocol/support";

/** How long agents of a killed daemon have until they are killed too; that daemon's guard gives them two seconds. */
const GRACE_MS = 3000;

/**
 * The running agents, recorded on disk: the next daemon waits until those of a killed one have ended, since two agents in one
 * conversation would do the same work twice.
 */
export class ProcessRecords {
  readonly #folder: string;
  readonly #log: Log;

  constructor(folder: string, log: Log) {
    this.#folder = join(folder, "agents");
    this.#log = log;
  }

  /** Records a process group; returns a function to call when it has ended. If it can't be recorded, the agent runs anyway. */
  note(group: number): () => void {
    const path = join(this.#folder, String(group));
    const known = knownGroup(group);
    if (!known) return () => {};
    try {
      makePrivateFolder(this.#folder);
      writeFileSync(path, known.startedAt, { mode: 0o600 });
    } catch (error) {
      this.#log.warn(
        "an agent could not be recorded: after a crash, the next daemon will not wait for it to exit",
        {
          error,
        },
      );
    }
    return () => {
      // One that could not be ended stays recorded.
      if (livingGroups([known]).length === 0) rmSync(path, { force: true });
    };
  }

  /** Resolves when no agent of an earlier daemon is left. */
  async waitForLeftovers(): Promise<void> {
    const known = this.#noted();
    const living = livingGroups(known);
    if (living.length > 0)
      this.#log.info("agents of an earlier daemon are still ending: sessions continue when they are gone", {
        groups: living.map(({ group }) => group),
      });
    const left = await outliveGroups(living, GRACE_MS);
    if (left.length > 0)
      this.#log.error("agents of an earlier daemon can't be stopped", {
        groups: left.map(({ group }) => group),
      });
    const staying = new Set(left.map(({ group }) => group));
    for (const { group } of known)
      if (!staying.has(group)) rmSync(join(this.#folder, String(group)), { force: true });
  }

  #noted(): readonly KnownGroup[] {
    let names: readonly string[] = [];
    try {
      names = readdirSync(this.#folder);
    } catch {
      // No daemon has recorded anything here.
    }
    return names
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ group: Number(name), startedAt: readFileSync(join(this.#folder, name), "utf8") }));
  }
}
