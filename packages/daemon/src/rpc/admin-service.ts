import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { AdminService } from "@agentwire/api";
import type { ServiceImpl } from "@connectrpc/connect";
import { IDENTITY } from "../access/identity.ts";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { callerOf } from "./caller.ts";

const MAX_PORT = 65_535;

/** Requests for the operator of the daemon. */
export function adminService(daemon: Daemon): ServiceImpl<typeof AdminService> {
  const { store, audit } = daemon;
  return {
    async backup({ path }, context) {
      if (!isAbsolute(path)) throw new DaemonError("INVALID_ARGUMENT", "path: give an absolute path");
      if (existsSync(path)) throw new DaemonError("INVALID_ARGUMENT", `path: ${path} already exists`);
      if (!existsSync(dirname(path)))
        throw new DaemonError("INVALID_ARGUMENT", `path: there is no folder ${dirname(path)}`);
      const note = { kind: "backup", actor: callerOf(context), action: "begun", subject: path, detail: "" };
      await store.write([audit(note)]);
      return { path, sizeBytes: BigInt(await store.backUp(path)) };
    },
    reloadSettings: ({ dryRun, storeUrl }) => {
      const { changed, needRestart, warnings } = daemon.reloadSettings({
        isDryRun: dryRun,
        storeUrl: storeUrl || undefined,
      });
      return { changed: [...changed], needRestart: [...needRestart], warnings: [...warnings] };
    },
    async createConsoleLink({ port }, context) {
      if (port !== undefined && port > MAX_PORT)
        throw new DaemonError("INVALID_ARGUMENT", `port: give a number from 0 to ${MAX_PORT}`);
      const address = port === undefined ? undefined : await daemon.openPort(port);
      const link = daemon.consoleLink(callerOf(context), context.values.get(IDENTITY), address);
      return link ? { url: link.url, otherUrls: [...link.otherUrls] } : {};
    },
  };
}
