import { isAbsolute, join, relative } from "node:path";
import { type Environment, packSnapshot, repositoryOf, unpackSnapshots } from "@agentwire/local/worktree";
import { errorMessage, type Log } from "@agentwire/protocol/support";
import { isWithin } from "../permission/folder-name.ts";
import type { Draft } from "../store/draft.ts";
import type { Nodes } from "../store/nodes.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Store } from "../store/store.ts";

/** What is packed at once; a commit of the store takes all of it. */
const MAX_BYTES = 64 * 1024 * 1024;
/** After so many that need those before them, one that stands alone is kept in their place. */
const MAX_STEPS = 40;

/** What workspaces of the kind `git` are made of. */
interface GitWorkspaceOptions {
  readonly nodes: Nodes;
  readonly store: Store;
  /** What people call this node. */
  readonly name: string;
  /** Where this node lays out what it takes up. */
  readonly folder: string;
  /** Folders whose sessions can be taken up elsewhere. */
  readonly gitFolders: readonly string[];
  readonly env: Environment;
  readonly log: Log;
}

/** The files of sessions in git repositories, kept in the store after each turn, and laid out where such a session is taken up. */
export class GitWorkspaces {
  readonly #options: GitWorkspaceOptions;
  /** The last snapshot of each session that is on its way. */
  readonly #taking = new Map<string, Promise<string | undefined>>();
  /** Why the last one of a session failed. */
  readonly #failures = new Map<string, string>();

  constructor(options: GitWorkspaceOptions) {
    this.#options = options;
  }

  /** Keeps the files of a session as they are now; why that failed, if it did. */
  async keep(record: SessionRecord): Promise<string | undefined> {
    if (!this.#isOurs(record)) return undefined;
    const before = this.#taking.get(record.id) ?? Promise.resolve();
    const taking = before.then(() => this.#keep(record)).then(() => undefined, errorMessage);
    this.#taking.set(record.id, taking);
    const failure = await taking;
    if (this.#taking.get(record.id) === taking) this.#taking.delete(record.id);
    return failure;
  }

  /** The same after a turn; what is to be said of it in the log of the session, once for each reason. */
  async keepTurn(record: SessionRecord): Promise<readonly Draft[]> {
    const failure = await this.keep(record);
    const isNews = failure !== this.#failures.get(record.id);
    if (failure === undefined) this.#failures.delete(record.id);
    else this.#failures.set(record.id, failure);
    if (failure === undefined || !isNews) return [];
    this.#options.log.warn("the files of a session could not be kept", { session_id: record.id, failure });
    return [noted("workspace_not_kept", `Other nodes can't continue with its files: ${failure}`)];
  }

  /** Lays out the files of a session that another node had, if they were kept; what people are to know of it, for the log of the session. */
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
        noted("workspace_missing", `Its files could not be restored on node ${name}: ${errorMessage(error)}`),
      ];
    }
    const cwd = join(checkout, last.prefix);
    await store.write([{ type: "changeSession", id: sessionId, changes: { cwd } }]);
    await nodes.snapshots.claim(sessionId);
    const time = new Date(last.takenMs).toISOString();
    return [
      noted(
        "workspace_moved",
        `It continues on node ${name}, in ${cwd}, with its files as they were after the turn that ended at ${time}. Later changes, and files that git ignores, are still where it was before: ${record.cwd}`,
      ),
    ];
  }

  /** Sessions with worktrees of their own stay where these are. */
  #isOurs({ cwd, worktree }: SessionRecord): boolean {
    const { gitFolders, folder } = this.#options;
    return worktree === "" && [...gitFolders, folder].some((one) => isWithin(cwd, one));
  }

  async #keep({ id, cwd }: SessionRecord): Promise<void> {
    const { nodes, env } = this.#options;
    const { git, checkout } = await repositoryOf(cwd, env);
    const prefix = relative(checkout, cwd);
    if (isAbsolute(prefix) || prefix.startsWith("..")) throw new Error(`${cwd} leads out of its repository`);
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
