import { spawn } from "node:child_process";
import { once } from "node:events";
import type { CreateConsoleLinkResponse } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Call, hasOption } from "../command.ts";
import type { Io } from "../io.ts";
import type { Client } from "../talk/client.ts";
import { remoteOf } from "../talk/remote.ts";
import { consoleLink } from "./console-link.ts";
import { portOption } from "./port-option.ts";
import { daemonClient, healthOf, launchUnlessThere, runningDaemon } from "./reach.ts";

/** The default port of the console. */
const PORT = 7433;

/** Prints a link that signs a browser in to the console; starts a daemon if none is running, and opens a port if it has none. */
export async function web(call: Call): Promise<number> {
  const { io, json } = call;
  const wanted = portOption(call);
  const remote = remoteOf(io);
  const client = remote ? await runningDaemon(io, "web") : daemonClient(io, "web");
  if (!remote && !(await healthOf(client))) {
    const started = await launchUnlessThere(io, client, undefined);
    for (const warning of started?.warnings ?? []) io.stderr.write(`${warning}\n`);
  }
  const link = await linkAt(client, wanted);
  // The link has the daemon's own host; use the address by which this machine reaches it.
  const at = (url: string) => (remote ? url.replace(new URL(url).origin, remote.address) : url);
  const url = at(link.url);
  const otherUrls = remote ? [] : link.otherUrls;
  io.stdout.write(json ? `${JSON.stringify({ url, otherUrls })}\n` : `${url}\n`);
  if (!json && otherUrls.length > 0)
    io.stderr.write(
      `From another machine, use the link with the name that it knows this one by:\n  ${otherUrls.join("\n  ")}\n`,
    );
  if (hasOption(call, "open")) await openInBrowser(io, url);
  return EXIT_CODES.done;
}

type Link = Pick<CreateConsoleLinkResponse, "url" | "otherUrls">;

const NONE: Link = { url: "", otherUrls: [] };

/** A link to the requested port, else to an open one, else to the default port or, if that is in use, a free one. */
async function linkAt(client: Client, wanted: number | undefined): Promise<Link> {
  const known = await consoleLink(client, wanted);
  if (known !== undefined) return known;
  try {
    return (await consoleLink(client, PORT)) ?? NONE;
  } catch (error) {
    if (!(error instanceof ConnectError && error.code === Code.AlreadyExists)) throw error;
    return (await consoleLink(client, 0)) ?? NONE;
  }
}

/** The program that opens an address in the user's preferred application. */
const OPENER = process.platform === "darwin" ? "open" : "xdg-open";

/** Opens an address in the user's browser; a failure is only reported, since the address is printed anyway. */
async function openInBrowser({ env, stderr }: Pick<Io, "env" | "stderr">, url: string): Promise<void> {
  const child = spawn(OPENER, [url], { env, stdio: "ignore", detached: true });
  try {
    await once(child, "spawn");
    // The browser outlives this process.
    child.unref();
  } catch {
    stderr.write(`${OPENER} was not found: open the link in a browser yourself\n`);
  }
}
