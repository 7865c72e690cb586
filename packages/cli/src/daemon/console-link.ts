import type { Client } from "../talk/client.ts";

/** A link that signs one browser in to the console; undefined if the daemon listens at no port. */
export async function consoleLink({ admin }: Client): Promise<string | undefined> {
  const { url } = await admin.createConsoleLink({});
  return url === "" ? undefined : url;
}
