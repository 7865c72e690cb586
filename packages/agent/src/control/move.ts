import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Handlers } from "@agentwire/protocol";
import type { hostRequests, ResponseOf } from "@agentwire/protocol/control";
import { realPath } from "../files/real-path.ts";
import type { SessionContext } from "../session/context.ts";
import type { Session } from "../session/session.ts";
import { trustFolder } from "../settings/trust.ts";

type Moved = ResponseOf<typeof hostRequests, "set_cwd">;

/** The request that moves the session to another folder. */
export function moveControl(session: Session): Handlers<typeof hostRequests> {
  const { workspace, config, settings } = session.context;
  return {
    async set_cwd({ path, trust_accepted, trusted_directory }): Promise<Moved> {
      const folder = await realPath(resolve(workspace.cwd, path));
      const found = folder === undefined ? undefined : await stat(folder).catch(() => undefined);
      if (folder === undefined || !found)
        return rejected("not_found", `Couldn't find a directory at ${resolve(workspace.cwd, path)}.`);
      if (!found.isDirectory()) return rejected("not_a_directory", `${folder} is not a directory.`);
      // The path shown to the user must be the path that becomes trusted.
      if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(folder))
        return rejected("unsafe_path", "The path contains invisible characters.");
      if (folder === (await realPath(workspace.cwd)))
        return { status: "ok", cwd: folder, changed: false, transcript_relocated: true };
      if (!(await settings.trust.trusts(folder))) {
        if (trust_accepted !== true || trusted_directory !== folder)
          return { status: "needs_trust", directory: folder };
        await trustFolder(folder, config.userFile);
      }
      if (session.isRunning)
        return rejected("busy", "A turn is running. Try again when the session is idle.");
      await move(session.context, folder);
      // The transcript stays in the original folder, from which the session is resumed.
      return { status: "ok", cwd: folder, changed: true, transcript_relocated: false };
    },
  };
}

async function move({ workspace, gate, hooks, history }: SessionContext, folder: string): Promise<void> {
  const before = workspace.cwd;
  await gate.apply([{ type: "addDirectories", directories: [folder], destination: "session" }]);
  workspace.cwd = folder;
  if (history.messages.length > 0)
    history.remark([`The user has moved the session to the folder ${folder}.`]);
  if (!hooks.listens("CwdChanged")) return;
  const signal = new AbortController().signal;
  await hooks.run("CwdChanged", { old_cwd: before, new_cwd: folder }, { signal });
}

const rejected = (reason: NonNullable<Moved["reason"]>, message: string): Moved => ({
  status: "rejected",
  reason,
  message,
});
