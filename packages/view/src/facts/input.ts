import type { Event } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";

/** Who may send to a session, and who has asked to. */
export interface Input {
  /** The only client that may send; empty if every client may. */
  readonly holder: string;
  /** How the holder got the input; empty if that happened before the loaded events. */
  readonly reason: string;
  /** The clients that have asked the holder for it, oldest request first. */
  readonly requests: readonly InputClaim[];
  /** The clients whose requests the holder has refused. */
  readonly refused: readonly string[];
}

/** A client's pending request for the input. */
export interface InputClaim {
  readonly client: string;
  /** When the client gets the input unless the holder answers. */
  readonly untilMs: number;
}

/** The state of the input as seen by one client. */
export type InputStatus =
  | { readonly type: "everybody" }
  | { readonly type: "ours"; readonly requests: readonly InputClaim[] }
  | { readonly type: "free to ask" | "refused"; readonly holder: string }
  | { readonly type: "waiting"; readonly holder: string; readonly untilMs: number };

/** The input after the holder has changed, which ends all requests. */
export const heldBy = (holder: string, reason = ""): Input => ({ holder, reason, requests: [], refused: [] });

/** The input after an event. */
export function inputAfter(input: Input, { body }: Event): Input {
  const without = (known: readonly InputClaim[], client: string) =>
    known.filter((claim) => claim.client !== client);
  switch (body.case) {
    case "inputHolderChange":
      return heldBy(body.value.client, body.value.reason);
    case "inputRequest": {
      const { client, expiresAt } = body.value;
      const claim = { client, untilMs: expiresAt ? timestampMs(expiresAt) : 0 };
      return {
        ...input,
        requests: [...without(input.requests, client), claim],
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

/** The state of the input for the client that `isUs` identifies as ours. */
export function inputStatusOf(input: Input, isUs: (client: string) => boolean): InputStatus {
  const { holder, requests, refused } = input;
  if (holder === "") return { type: "everybody" };
  if (isUs(holder)) return { type: "ours", requests };
  const claim = requests.find(({ client }) => isUs(client));
  if (claim) return { type: "waiting", holder, untilMs: claim.untilMs };
  return { type: refused.some(isUs) ? "refused" : "free to ask", holder };
}
