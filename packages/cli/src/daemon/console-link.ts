import type { CreateConsoleLinkResponse } from "@agentwire/api";
import type { Client } from "../talk/client.ts";

/** A link that signs one browser in to the console, at a port that is opened for it; without one, undefined if the daemon listens at none. */
export async function consoleLink(
  { admin }: Client,
  port?: number,
): Promise<CreateConsoleLinkResponse | undefined> {
  const link = await admin.createConsoleLink(port === undefined ? {} : { port });
  return link.url === "" ? undefined : link;
}
