import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { AdminService } from "@agentwire/api";
import type { ServiceImpl } from "@connectrpc/connect";
import { IDENTITY } from "../access/identity.ts";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { copyStore } from "../store/maintenance.ts";
import { callerOf } from "./caller.ts";

/** Requests for the operator of the daemon. */
export function adminService(daemon: Daemon): ServiceImpl<typeof AdminService> {
  const { writer, audit } = daemon;
  return {
    async backup({ path }, context) {
      if (!isAbsolute(path)) throw new DaemonError("INVALID_ARGUMENT", "path: give an absolute path");
      if (existsSync(path)) throw new DaemonError("INVALID_ARGUMENT", `path: ${path} already exists`);
      if (!existsSync(dirname(path)))
        throw new DaemonError("INVALID_ARGUMENT", `path: there is no folder ${dirname(path)}`);
      const note = { kind: "backup", actor: callerOf(context), action: "begun", subject: path, detail: "" };
      await writer.write([audit(note)]);
      return { path, sizeBytes: BigInt(await copyStore(writer.path, path)) };
    },
    async createConsoleLink(_, context) {
      return { url: daemon.consoleLink(callerOf(context), context.values.get(IDENTITY)) ?? "" };
    },
  };
}
