import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WorktreeError } from "./error.ts";
import { type Environment, type Git, openGit } from "./git.ts";
import { commitOf, line } from "./repository.ts";
import { restoreSnapshot, takeSnapshot } from "./snapshot.ts";

const LONG_MS = 300_000;

/** A snapshot of a checkout that can be restored elsewhere. */
export interface PackedSnapshot {
  readonly commit: string;
  /** The commit that was checked out; empty in a repository without commits. */
  readonly head: string;
  /** The branch that was checked out; empty for none. */
  readonly branch: string;
  /** Whether it is self-contained; otherwise it needs the snapshots before it, back to the last self-contained one. */
  readonly isWhole: boolean;
  /** A git bundle. */
  readonly pack: Uint8Array;
}

/** Options for packing a snapshot. */
export interface PackOptions {
  /** The ref under which the repository keeps the snapshot. */
  readonly ref: string;
  /** The snapshot that the receiver already has; if undefined, everything is packed. */
  readonly known: Pick<PackedSnapshot, "commit" | "head" | "branch"> | undefined;
  readonly maxBytes: number;
}

/** Takes a snapshot of a checkout and packs it; undefined if nothing has changed since the known one. Leaves branch, index and files untouched. */
export async function packSnapshot(
  git: Git,
  { ref, known, maxBytes }: PackOptions,
): Promise<PackedSnapshot | undefined> {
  const head = (await commitOf(git, "HEAD")) ?? "";
  const named = await git.ask(["symbolic-ref", "--quiet", "--short", "HEAD"], { codes: [1] });
  const branch = named.code === 0 ? line(named.stdout) : "";
  const commit = await takeSnapshot(git, ref);
  const base = known && (await commitOf(git, known.commit)) === known.commit ? known : undefined;
  if (base?.head === head && base.branch === branch && (await isSameTree(git, commit, base.commit)))
    return undefined;
  const pack = await bundleOf(git, [ref, ...(base ? [`^${base.commit}`] : [])], maxBytes);
  return { commit, head, branch, isWhole: base === undefined, pack };
}

const isSameTree = async (git: Git, one: string, other: string) =>
  (await git.run(["rev-parse", `${one}^{tree}`])) === (await git.run(["rev-parse", `${other}^{tree}`]));

async function bundleOf(git: Git, what: readonly string[], maxBytes: number): Promise<Uint8Array> {
  return inFolder(async (folder) => {
    const file = join(folder, "bundle");
    await git.run(["bundle", "create", "--quiet", file, ...what], { timeoutMs: LONG_MS });
    const { size } = await stat(file);
    if (size > maxBytes)
      throw new WorktreeError(
        "too_large",
        `${git.folder} would pack to ${megabytes(size)} MB, and the limit is ${megabytes(maxBytes)} MB: add large files to .gitignore`,
      );
    return readFile(file);
  });
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576);

/** Creates a checkout from packed snapshots, or updates an existing one, to the state of the last snapshot. */
export async function unpackSnapshots(
  folder: string,
  ref: string,
  packed: readonly PackedSnapshot[],
  env: Environment,
): Promise<void> {
  const last = packed.at(-1);
  if (!last) throw new WorktreeError("git_failed", "there is no snapshot to restore");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const empty = await openGit(folder, env);
  // No template, since it could contain hooks.
  if (!(await stat(join(folder, ".git")).catch(() => undefined)))
    await empty.run(["init", "--quiet", "--template="]);
  const git = await openGit(folder, env);
  await inFolder(async (place) => {
    const file = join(place, "bundle");
    for (const { pack } of packed) {
      await writeFile(file, pack, { mode: 0o600 });
      await git.run(["bundle", "unbundle", file], { timeoutMs: LONG_MS });
    }
  });
  await git.run(["update-ref", ref, last.commit]);
  await restoreSnapshot(git, last.commit);
  if (last.head === "") return;
  if (last.branch === "") await git.run(["update-ref", "--no-deref", "HEAD", last.head]);
  else {
    await git.run(["check-ref-format", "--branch", last.branch]);
    await git.run(["symbolic-ref", "HEAD", `refs/heads/${last.branch}`]);
    await git.run(["update-ref", `refs/heads/${last.branch}`, last.head]);
  }
  // A snapshot does not record what was staged, so all changes appear unstaged.
  await git.run(["read-tree", "HEAD"]);
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-bundle-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
