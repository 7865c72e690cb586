import { FileState, StagedState, type WorkspaceService } from "@agentwire/api";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { inRepository, openChanges } from "../workspace/changes.ts";
import { Commands } from "../workspace/commands.ts";
import { FileLists } from "../workspace/file-list.ts";
import { filesIn, readListed } from "../workspace/files.ts";
import { lookIntoFolder } from "../workspace/folders.ts";
import { matchPaths } from "../workspace/match-paths.ts";
import { contextOf, outputOfTask, stopTask } from "../workspace/running-agent.ts";
import { callerOf } from "./caller.ts";
import { checkFolder } from "./check-request.ts";

const DEFAULT_FILES = 20;
const MAX_FILES = 200;

const FILE_STATES = {
  added: FileState.ADDED,
  modified: FileState.MODIFIED,
  deleted: FileState.DELETED,
} as const;
const STAGED_STATES = { none: StagedState.NONE, some: StagedState.SOME, all: StagedState.ALL } as const;

/** Implements the service for files, commands, context and tasks of sessions. */
export function workspaceService({ registry, runner, config }: Daemon): ServiceImpl<typeof WorkspaceService> {
  const { env } = config;
  /** Changing files requires the input, just as having an agent change them does. */
  const folderFor = async (sessionId: string, context: HandlerContext) => {
    const session = await registry.get(sessionId);
    session.input.mustHold(callerOf(context));
    checkFolder(session.record.cwd);
    return session.record.cwd;
  };
  const lists = new FileLists();
  const commands = new Commands(runner);
  return {
    async findFiles({ sessionId, query, limit, cwd: folder }) {
      const cwd = folder || (await registry.get(sessionId)).record.cwd;
      checkFolder(cwd);
      const list = await lists.of(cwd);
      const max = Math.min(limit || DEFAULT_FILES, MAX_FILES);
      return { paths: [...(await matchPaths(list, query, max))], total: list.files };
    },

    async listFiles({ sessionId, path }) {
      const { cwd } = (await registry.get(sessionId)).record;
      checkFolder(cwd);
      return filesIn(await lists.of(cwd), path);
    },

    async readFile({ sessionId, path }) {
      const { cwd } = (await registry.get(sessionId)).record;
      checkFolder(cwd);
      return readListed(cwd, await lists.of(cwd), path);
    },

    async listFolders({ path }) {
      const wanted = path || config.defaultFolder;
      checkFolder(wanted);
      const { folders, isCut, branches, parent = "", ...found } = await lookIntoFolder(wanted, env);
      return {
        ...found,
        parent,
        folders: folders.map((folder) => ({ ...folder })),
        truncated: isCut,
        ...(branches && {
          repository: {
            root: branches.checkout,
            branch: branches.current ?? "",
            branches: [...branches.names],
          },
        }),
      };
    },

    async listCommands({ sessionId }) {
      const session = await registry.get(sessionId);
      const known = await commands.of(session.record, session.agent);
      return {
        commands: known.commands.map(({ name, description, argumentHint }) => ({
          name,
          description,
          argumentHint,
        })),
        agents: known.agents.map(({ name, description }) => ({ name, description })),
      };
    },

    async getContext({ sessionId }) {
      const found = await contextOf((await registry.get(sessionId)).agent);
      if (!found) return {};
      const { totalTokens, maxTokens, categories, model } = found;
      return {
        isKnown: true,
        usedTokens: tokens(totalTokens),
        maxTokens: tokens(maxTokens),
        parts: categories
          .filter(({ kind }) => kind !== "free")
          .map((part) => ({ name: part.name, tokens: tokens(part.tokens) })),
        model,
      };
    },

    async getTaskOutput({ sessionId, taskId }) {
      const { output, total_bytes, truncated } = await outputOfTask(
        (await registry.get(sessionId)).agent,
        taskId,
      );
      return { output, totalBytes: BigInt(total_bytes), truncated };
    },

    async stopTask({ sessionId, taskId }, context) {
      const session = await registry.get(sessionId);
      session.input.mustHold(callerOf(context));
      await stopTask(session.agent, taskId);
      return {};
    },

    async getChanges({ sessionId }) {
      const { cwd } = (await registry.get(sessionId)).record;
      checkFolder(cwd);
      const found = await openChanges(cwd, env);
      if (!found) return {};
      return {
        isRepository: true,
        branch: found.branch ?? "",
        files: found.files.map((file) => ({
          ...file,
          state: FILE_STATES[file.state],
          staged: STAGED_STATES[file.staged],
        })),
        patch: found.patch,
        patchOmitted: found.isCut,
        root: found.checkout,
      };
    },

    async stageFiles({ sessionId, paths, staged }, context) {
      if (paths.length === 0) throw new DaemonError("INVALID_ARGUMENT", "paths: name at least one file");
      const folder = await folderFor(sessionId, context);
      await inRepository(({ stageFiles }) => stageFiles(folder, paths, staged, env));
      return {};
    },

    async commitChanges({ sessionId, message }, context) {
      if (message.trim() === "") throw new DaemonError("INVALID_ARGUMENT", "message: describe the change");
      const folder = await folderFor(sessionId, context);
      return { commit: await inRepository(({ commitStaged }) => commitStaged(folder, message, env)) };
    },

    async revertChange({ sessionId, path, hunk, undo }, context) {
      if (path === "") throw new DaemonError("INVALID_ARGUMENT", "path: name a file");
      const folder = await folderFor(sessionId, context);
      if (undo === "")
        return { undo: await inRepository(({ revertChange }) => revertChange(folder, { path, hunk }, env)) };
      await inRepository(({ undoRevert }) => undoRevert(folder, path, undo, env));
      return {};
    },
  };
}

/** Agents do not always report whole numbers. */
const tokens = (count: number): bigint => BigInt(Math.max(0, Math.round(count)));
