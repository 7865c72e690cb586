import { isAbsolute } from "node:path";
import type { AdminService } from "@agentwire/api";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { copyStore } from "../store/maintenance.ts";

/** Does what whoever runs the daemon asks. */
export function adminService(daemon: Daemon): ServiceImpl<typeof AdminService> {
  return {
    async backup({ path }) {
      if (!isAbsolute(path)) throw new DaemonError("INVALID_ARGUMENT", "path: give the file from the root");
      return { path, sizeBytes: BigInt(await copyStore(daemon.writer.path, path)) };
    },
    async createConsoleLink() {
      return { url: daemon.consoleLink() ?? "" };
    },
  };
}
