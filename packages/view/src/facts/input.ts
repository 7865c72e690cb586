import type { Event } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";

/** Who may send to a session, and who wants to. */
export interface Input {
  /** Who alone may send; empty if everybody may. */
  readonly holder: string;
  /** How they came by it; empty if that was before what is loaded. */
  readonly reason: string;
  /** Who has asked the holder for it, longest first. */
  readonly requests: readonly InputClaim[];
  /** Whom the holder has refused it. */
  readonly refused: readonly string[];
}

/** A client waits for the input. */
export interface InputClaim {
  readonly client: string;
  /** When they get it, unless the holder has answered. */
  readonly untilMs: number;
}

/** How the input is for one client. */
export type InputStatus =
  | { readonly type: "everybody" }
  | { readonly type: "ours"; readonly requests: readonly InputClaim[] }
  | { readonly type: "free to ask" | "refused"; readonly holder: string }
  | { readonly type: "waiting"; readonly holder: string; readonly untilMs: number };

/** The holder has changed; all requests are over. */
export const heldBy = (holder: string, reason = ""): Input => ({ holder, reason, requests: [], refused: [] });

/** The input after an event. */
export function inputAfter(input: Input, { body }: Event): Input {
  const without = (known: readonly InputClaim[], client: string) =>
    known.filter((wish) => wish.client !== client);
  switch (body.case) {
    case "inputHolderChange":
      return heldBy(body.value.client, body.value.reason);
    case "inputRequest": {
      const { client, expiresAt } = body.value;
      const wish = { client, untilMs: expiresAt ? timestampMs(expiresAt) : 0 };
      return {
        ...input,
        requests: [...without(input.requests, client), wish],
        refused: input.refused.filter((known) => known !== client),
      };
    }
    case "inputRefusal": {
      const { client } = body.value;
      const refused = [...input.refused.filter((known) => known !== client), client];
      return { ...input, requests: without(input.requests, client), refused };
    }
    default:
      return input;
  }
}

/** What the input is to whoever `isUs` says we are. */
export function inputStatusOf(input: Input, isUs: (client: string) => boolean): InputStatus {
  const { holder, requests, refused } = input;
  if (holder === "") return { type: "everybody" };
  if (isUs(holder)) return { type: "ours", requests };
  const wish = requests.find(({ client }) => isUs(client));
  if (wish) return { type: "waiting", holder, untilMs: wish.untilMs };
  return { type: refused.some(isUs) ? "refused" : "free to ask", holder };
}
