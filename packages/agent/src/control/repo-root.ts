import { resolve } from "node:path";
import { isFolder } from "@agentwire/local/files";
import { type Handlers, ProtocolError } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import { isInside, realPath } from "../files/real-path.ts";
import type { SessionContext } from "../session/context.ts";
import { startPluginServers } from "../session/servers.ts";

/** The request that registers a repository inside the workspace, with its notes and `.claude` folder. */
export function repoRootControl(session: SessionContext): Handlers<typeof hostRequests> {
  const { gate, hooks, files, hostOptions } = session;
  return {
    async register_repo_root(request) {
      const folder = await registrable(session, request.directory);
      await gate.apply([{ type: "addDirectories", directories: [folder], destination: "session" }]);
      hostOptions.repoRoots = [...hostOptions.repoRoots, folder];
      if (request.reload_claude_md || request.reload_skills || request.reload_plugins) await files.reload();
      if (request.reload_plugins) await startPluginServers(session);
      if (hooks.listens("DirectoryAdded")) {
        const facts = { directory: folder, source: "register_repo_root" };
        void hooks.run("DirectoryAdded", facts, { signal: new AbortController().signal });
      }
      return {};
    },
  };
}

/** The real path of the folder. It must be inside a folder given on the command line, and not registered yet. */
async function registrable({ config, gate }: SessionContext, directory: string): Promise<string> {
  const { cwd, addedFolders } = config;
  const opened = [cwd, ...addedFolders];
  const [folder, ...roots] = await Promise.all(
    [resolve(cwd, directory), ...opened].map((path) => realPath(path)),
  );
  if (folder === undefined || !isFolder(folder)) throw refused(`no such folder: ${directory}`);
  if (roots.includes(folder) || gate.directories.includes(folder))
    throw refused(`${folder} is already a working folder`);
  if (!roots.some((root) => isInside(folder, root)))
    throw refused(`${folder} is outside the folders that the session was started with`);
  return folder;
}

const refused = (why: string) => new ProtocolError("refused", why);
