import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { CliError } from "../errors.ts";
import { remoteOf } from "../talk/remote.ts";
import { consoleLink } from "./console-link.ts";
import { daemonClient, healthOf, launchUnlessThere, runningDaemon } from "./reach.ts";

/** The default address of the console. */
const PORT = 7433;

/** Prints a link that signs a browser in to the console, starting a daemon where none runs. */
export async function web({ io, json }: Call): Promise<number> {
  const remote = remoteOf(io);
  const client = remote ? await runningDaemon(io, "web") : daemonClient(io, "web");
  if (!remote && !(await healthOf(client))) await launchUnlessThere(io, client, PORT);
  const link = await consoleLink(client);
  // The daemon knows its port, and we know how to get there.
  const url = link && remote ? link.replace(new URL(link).origin, remote.address) : link;
  if (url === undefined)
    throw new CliError("the daemon has no TCP port", {
      hint: "agentwire daemon stop, then agentwire web; sessions are kept",
    });
  io.stdout.write(json ? `${JSON.stringify({ url })}\n` : `${url}\n`);
  return EXIT_CODES.done;
}
