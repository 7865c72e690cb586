import type { CreateConsoleLinkResponse } from "@agentwire/api";
import type { Client } from "../talk/client.ts";

/** A link that signs one browser in to the console. Opens `port` if given; otherwise undefined if the daemon has no open port. */
export async function consoleLink(
  { admin }: Client,
  port?: number,
): Promise<CreateConsoleLinkResponse | undefined> {
  const link = await admin.createConsoleLink(port === undefined ? {} : { port });
  return link.url === "" ? undefined : link;
}
