import type { PresenceService } from "@agentwire/api";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { Presence } from "../health/presence.ts";
import { callerOf } from "./caller.ts";

/** How long a client counts as typing after it reported this. */
const TYPING_MS = 6000;

/** Reports to clients who else is watching a session, and who is typing. */
export function presenceService({ registry }: Daemon): ServiceImpl<typeof PresenceService> {
  const typing = new Presence(() => performance.now(), TYPING_MS);
  return {
    async attend({ sessionId, typing: types }, context) {
      const session = await registry.get(sessionId);
      const caller = callerOf(context);
      const nameFor = (client: string) => `${sessionId} ${client}`;
      if (types) typing.heard(nameFor(caller));
      else typing.left(nameFor(caller));
      const typists = typing.with([]);
      const watching = new Set([...session.journal.subscribers].map(({ client }) => client));
      watching.delete(caller);
      return {
        others: [...watching].map((client) => ({ client, typing: typists.has(nameFor(client)) })),
      };
    },
  };
}
