import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { currentToolName } from "@agentwire/protocol/permission";
import { isOwnOutputFolder } from "../files/output-folder.ts";
import { type Followed, isInside, realPath, realPaths } from "../files/real-path.ts";
import type { Access } from "../shell/access.ts";
import { type PartEffect, shellEffects } from "../shell/effects.ts";
import { fileAccesses, fileToolKind, withAbsolutePath } from "./access.ts";
import type { PermissionQuestion } from "./gate.ts";
import { isPlainRepository } from "./plain-repository.ts";
import { sensitivePart } from "./sensitive-path.ts";

/** An access resolved against the file system. */
export interface LocatedAccess {
  readonly kind: Access["kind"];
  readonly below?: Access["below"];
  /** Absolute, as written in the call. */
  readonly path: string;
  /** Every real path it may resolve to; empty when that can't be determined. */
  readonly real: readonly string[];
  /** Whether all of them are inside the project. */
  readonly inside: boolean;
  /** The part of the path that makes every edit require a question. */
  readonly sensitive?: string;
}

/** A part of a shell command with its accesses located. */
export interface LocatedPart extends Omit<PartEffect, "accesses"> {
  readonly accesses: readonly LocatedAccess[];
}

/** A call with everything that must be looked up before it is judged. */
export interface LocatedCall {
  readonly toolName: string;
  /** With an absolute path. */
  readonly input: JsonObject;
  /** What the tool does with files; absent if it is not a file tool. */
  readonly fileKind?: Access["kind"];
  /** All accesses; for a shell command, those visible in its text. */
  readonly accesses: readonly LocatedAccess[];
  /** What it may also read, if only the shell knows the names. */
  readonly mayRead: readonly LocatedAccess[];
  /** Whether the path of a file tool can't be determined. */
  readonly unclear: boolean;
  /** The parts of a shell command; absent when it can't be split. */
  readonly parts?: readonly LocatedPart[];
}

/** The folders used to resolve a call's paths. */
export interface CallFolders {
  readonly home: string;
  /** Folders that belong to the project. */
  readonly roots: readonly string[];
}

/** The maximum number of paths looked up for one command; with more, the user is asked. */
const MAX_LOOKED_UP = 200;

/** Resolves what a call accesses: links and `..` are followed before it is judged. */
export async function locateCall(
  { tool, input, workspace }: PermissionQuestion,
  { home, roots }: CallFolders,
): Promise<LocatedCall> {
  const toolName = currentToolName(tool.name);
  const { cwd } = workspace;
  const [write, outputs] = await Promise.all([
    realFolders(roots),
    realFolders(isOwnOutputFolder(workspace.outputFolder) ? [workspace.outputFolder] : []),
  ]);
  const folders = { read: [...write, ...outputs], write };
  const effects = toolName === "Bash" ? shellEffects(String(input.command ?? ""), cwd) : undefined;
  const named = fileAccesses(toolName, input, cwd);
  const places = { cwd, home, folders, followed: new Map(), looksUp: namesFew(effects ?? []) };
  const located = new Map<string, Promise<LocatedAccess>>();
  const locate = (access: Access) => {
    const key = JSON.stringify(access);
    const found = located.get(key) ?? locateAccess(access, places);
    located.set(key, found);
    return found;
  };
  const known = effects?.some(({ isGit }) => isGit) ? await withoutOddGit(effects, cwd) : effects;
  const parts = known && (await Promise.all(known.map((part) => locatePart(part, locate))));
  const accesses = named === "unclear" ? [] : await Promise.all(named.map(locate));
  return {
    toolName,
    input: withAbsolutePath(toolName, input, cwd),
    accesses: parts ? parts.flatMap((part) => part.accesses) : accesses,
    mayRead: await Promise.all((known ?? []).flatMap(({ mayRead = [] }) => mayRead).map(locate)),
    unclear: named === "unclear" || accesses.some(({ real }) => real.length === 0),
    fileKind: fileToolKind(toolName),
    parts,
  };
}

/** Treats git as an unknown command in a repository that can make it run other programs. */
async function withoutOddGit(effects: readonly PartEffect[], cwd: string): Promise<readonly PartEffect[]> {
  if (await isPlainRepository(cwd)) return effects;
  return effects.map((effect) => (effect.isGit ? { ...effect, does: "other" } : effect));
}

async function locatePart(
  part: PartEffect,
  locate: (access: Access) => Promise<LocatedAccess>,
): Promise<LocatedPart> {
  const accesses = await Promise.all(part.accesses.map(locate));
  const isFolder = await Promise.all(
    accesses.map(({ real }, at) => part.accesses[at]?.mustBeFile && hasFolder(real)),
  );
  return { ...part, accesses, ...(isFolder.some(Boolean) && { does: "other" }) };
}

async function hasFolder(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return found.some((one) => one?.isDirectory());
}

/** Whether the command names few enough files to look each of them up. */
function namesFew(effects: readonly PartEffect[]): boolean {
  const paths = effects.flatMap(({ accesses, mayRead = [] }) => [...accesses, ...mayRead]);
  return paths.length <= MAX_LOOKED_UP || new Set(paths.map(({ path }) => path)).size <= MAX_LOOKED_UP;
}

/** What the accesses of one call are resolved against. */
interface Places {
  readonly cwd: string;
  readonly home: string;
  readonly folders: Readonly<Record<Access["kind"], readonly string[]>>;
  readonly followed: Followed;
  /** Whether to look on disk; otherwise only the written path is used. */
  readonly looksUp: boolean;
}

async function locateAccess(
  { kind, path, below }: Access,
  { folders, looksUp, ...from }: Places,
): Promise<LocatedAccess> {
  const absolute = resolve(from.cwd, path);
  const real = looksUp ? await realPaths(path, from).catch(() => []) : [];
  const inside =
    real.length > 0 && real.every((one) => folders[kind].some((folder) => isInside(one, folder)));
  const names = kind === "write" ? [absolute, ...real].map((one) => sensitivePart(one)) : [];
  const sensitive = names.find((name) => name !== undefined);
  return { kind, path: absolute, real, inside, sensitive, ...(below && { below }) };
}

async function realFolders(folders: readonly string[]): Promise<readonly string[]> {
  // A folder that can't be resolved contains nothing.
  const real = await Promise.all(folders.map((folder) => realPath(folder).catch(() => undefined)));
  return real.flatMap((folder) => (folder === undefined ? [] : [folder]));
}
