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

/** An access with what the disk says about it. */
export interface LocatedAccess {
  readonly kind: Access["kind"];
  readonly below?: Access["below"];
  /** Absolute, as the call means it. */
  readonly path: string;
  /** Every file it may really be; empty when that can't be determined. */
  readonly real: readonly string[];
  /** Whether all of them lie in the project. */
  readonly inside: boolean;
  /** The name for which an edit of it is always asked about. */
  readonly sensitive?: string;
}

/** A part of a shell command with its accesses located. */
export interface LocatedPart extends Omit<PartEffect, "accesses"> {
  readonly accesses: readonly LocatedAccess[];
}

/** A call with everything that has to be looked up before it is judged. */
export interface LocatedCall {
  readonly toolName: string;
  /** With an absolute path. */
  readonly input: JsonObject;
  /** Whether the tool is made for files, and what it does with them. */
  readonly fileKind?: Access["kind"];
  /** All accesses; of a shell command those that its text shows. */
  readonly accesses: readonly LocatedAccess[];
  /** What it may read as well, where only the shell knows the names. */
  readonly mayRead: readonly LocatedAccess[];
  /** Whether a path of a file tool can't be told. */
  readonly unclear: boolean;
  /** The parts of a shell command; absent when it can't be split. */
  readonly parts?: readonly LocatedPart[];
}

/** The folders against which a call is located. */
export interface CallFolders {
  readonly home: string;
  /** Folders that belong to the project. */
  readonly roots: readonly string[];
}

/** The most paths that are looked up for a command; beyond that the user is asked. */
const MAX_LOOKED_UP = 200;

/** Looks up where a call leads: links and `..` are resolved before it is judged. */
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

/** The effect of git in a repository that can make it run unknown programs. */
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

/** Whether the parts of a command name so few files that it takes no time to look at them. */
function namesFew(effects: readonly PartEffect[]): boolean {
  const paths = effects.flatMap(({ accesses, mayRead = [] }) => [...accesses, ...mayRead]);
  return paths.length <= MAX_LOOKED_UP || new Set(paths.map(({ path }) => path)).size <= MAX_LOOKED_UP;
}

/** Where accesses of one call are located. */
interface Places {
  readonly cwd: string;
  readonly home: string;
  readonly folders: Readonly<Record<Access["kind"], readonly string[]>>;
  readonly followed: Followed;
  /** Whether the disk is asked; else only what a path says is known. */
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
