import { EXIT_CODES } from "@agentwire/protocol";
import type { Call } from "../command.ts";
import { CliError } from "../errors.ts";
import { consoleLink } from "./console-link.ts";
import { launchDaemon } from "./launch.ts";
import { daemonClient, healthOf } from "./reach.ts";

/** Where the console is when nobody says otherwise. */
const PORT = 7433;

/** Prints a link that signs a browser in to the console, starting a daemon where none runs. */
export async function web({ io, json }: Call): Promise<number> {
  const client = daemonClient(io, "web");
  if (!(await healthOf(client))) await launchDaemon(io, PORT);
  const url = await consoleLink(client);
  if (url === undefined)
    throw new CliError("the daemon that runs listens at no port", {
      hint: "agentwire daemon stop, then agentwire web; sessions are kept",
    });
  io.stdout.write(json ? `${JSON.stringify({ url })}\n` : `${url}\n`);
  return EXIT_CODES.done;
}
