import { type FeatureName, supports, type Version } from "@agentwire/protocol/compatibility";
import { HostError } from "../errors.ts";

/** Throws for a line that would end an agent of that version: the older ones exit at a type of input they don't know. */
export function mustTake(version: Version | undefined, type: string, what: string = type): void {
  const feature = neededFor(type);
  if (!feature || supports(version, undefined, feature)) return;
  throw new HostError(
    "unsupported_request",
    `${what}: this version of the agent exits when it is sent a ${type}.`,
  );
}

function neededFor(type: string): FeatureName | undefined {
  if (type === "user") return undefined;
  return type === "control_request" || type === "control_response" ? "control_requests" : "other_input";
}
