import { isAbsolute, join, relative } from "node:path";
import { type Environment, packSnapshot, repositoryOf, unpackSnapshots } from "@agentwire/local/worktree";
import { errorMessage, type Log } from "@agentwire/protocol/support";
import { isWithin } from "../permission/folder-name.ts";
import type { Draft } from "../store/draft.ts";
import type { Nodes } from "../store/nodes.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Store } from "../store/store.ts";

/** The maximum size of one pack; a single commit of the store writes all of it. */
const MAX_BYTES = 64 * 1024 * 1024;
/** After this many incremental snapshots, a complete one replaces them. */
const MAX_STEPS = 40;

/** The dependencies and settings of `GitWorkspaces`. */
interface GitWorkspaceOptions {
  readonly nodes: Nodes;
  readonly store: Store;
  /** The name of this node. */
  readonly name: string;
  /** Where this node unpacks the files of sessions that it takes over. */
  readonly folder: string;
  /** Folders whose sessions other nodes can take over. */
  readonly gitFolders: readonly string[];
  readonly env: Environment;
  readonly log: Log;
}

/** Stores the files of sessions in git repositories after each turn, and unpacks them on the node that takes over such a session. */
export class GitWorkspaces {
  readonly #options: GitWorkspaceOptions;
  /** The latest snapshot in progress for each session. */
  readonly #taking = new Map<string, Promise<string | undefined>>();
  /** Why the last snapshot of each session failed. */
  readonly #failures = new Map<string, string>();

  constructor(options: GitWorkspaceOptions) {
    this.#options = options;
  }

  /** Stores the current files of a session; resolves with the reason if that failed. */
  async keep(record: SessionRecord): Promise<string | undefined> {
    if (!this.#isOurs(record)) return undefined;
    const before = this.#taking.get(record.id) ?? Promise.resolve();
    const taking = before.then(() => this.#keep(record)).then(() => undefined, errorMessage);
    this.#taking.set(record.id, taking);
    const failure = await taking;
    if (this.#taking.get(record.id) === taking) this.#taking.delete(record.id);
    return failure;
  }

  /** Like `keep`, after a turn; resolves with a notice for the session's log the first time a reason occurs. */
  async keepTurn(record: SessionRecord): Promise<readonly Draft[]> {
    const failure = await this.keep(record);
    const isNews = failure !== this.#failures.get(record.id);
    if (failure === undefined) this.#failures.delete(record.id);
    else this.#failures.set(record.id, failure);
    if (failure === undefined || !isNews) return [];
    this.#options.log.warn("the files of a session could not be stored for other nodes", {
      session_id: record.id,
      failure,
    });
    return [
      noted("workspace_not_kept", `The session's files could not be stored for other nodes: ${failure}`),
    ];
  }

  /** Unpacks the stored files of a session that another node ran; resolves with a notice for the session's log. */
  async takeUp(sessionId: string): Promise<readonly Draft[]> {
    const { nodes, store, name, folder, env } = this.#options;
    const { last } = await nodes.snapshots.last(sessionId);
    if (!last || last.node === nodes.id || (await nodes.ownership(sessionId))?.owner !== nodes.id) return [];
    const record = await store.sessions.find(sessionId);
    if (!record) return [];
    const kept = await nodes.snapshots.load(sessionId);
    const checkout = join(folder, sessionId);
    try {
      await unpackSnapshots(checkout, refOf(sessionId), kept, env);
    } catch (error) {
      return [
        noted(
          "workspace_missing",
          `The session's files could not be restored on node ${name}: ${errorMessage(error)}`,
        ),
      ];
    }
    const cwd = join(checkout, last.prefix);
    await store.write([{ type: "changeSession", id: sessionId, changes: { cwd } }]);
    await nodes.snapshots.claim(sessionId);
    const time = new Date(last.takenMs).toISOString();
    return [
      noted(
        "workspace_moved",
        `The session continues on node ${name} in ${cwd}, with its files as of the end of the turn at ${time}. Later changes and files that git ignores remain in its previous folder: ${record.cwd}`,
      ),
    ];
  }

  /** Excludes sessions with worktrees: they stay on the node that has the worktree. */
  #isOurs({ cwd, worktree }: SessionRecord): boolean {
    const { gitFolders, folder } = this.#options;
    return worktree === "" && [...gitFolders, folder].some((one) => isWithin(cwd, one));
  }

  async #keep({ id, cwd }: SessionRecord): Promise<void> {
    const { nodes, env } = this.#options;
    const { git, checkout } = await repositoryOf(cwd, env);
    const prefix = relative(checkout, cwd);
    if (isAbsolute(prefix) || prefix.startsWith("..")) throw new Error(`${cwd} is outside its repository`);
    const { last, steps } = await nodes.snapshots.last(id);
    const known = last && steps < MAX_STEPS ? last : undefined;
    const packed = await packSnapshot(git, { ref: refOf(id), known, maxBytes: MAX_BYTES });
    if (packed) await nodes.snapshots.keep(id, { ...packed, prefix });
  }
}

const refOf = (sessionId: string) => `refs/agentwire/${sessionId}`;

const noted = (code: string, message: string): Draft => ({
  body: { case: "error", value: { code, message, fatal: false } },
});
