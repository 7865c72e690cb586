import type { WorkspaceService } from "@agentwire/api";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { Commands } from "../workspace/commands.ts";
import { FileLists } from "../workspace/file-list.ts";
import { matchPaths } from "../workspace/match-paths.ts";
import { checkFolder } from "./check-request.ts";

const DEFAULT_FILES = 20;
const MOST_FILES = 200;

/** Answers what clients ask about what sessions work with. */
export function workspaceService({ registry, runner }: Daemon): ServiceImpl<typeof WorkspaceService> {
  const lists = new FileLists();
  const commands = new Commands(runner);
  return {
    async findFiles({ sessionId, query, limit }) {
      const { cwd } = registry.get(sessionId).record;
      checkFolder(cwd);
      const list = await lists.of(cwd);
      const most = Math.min(limit || DEFAULT_FILES, MOST_FILES);
      return { paths: [...(await matchPaths(list, query, most))], total: list.files };
    },

    async listCommands({ sessionId }) {
      const session = registry.get(sessionId);
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
  };
}
