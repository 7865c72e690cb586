import { createHash, timingSafeEqual } from "node:crypto";
import type { Providers } from "../providers/providers.ts";
import type { ModelNames } from "./model-names.ts";

/** A client of the gateway. */
export interface GatewayClient {
  /** The providers it may use. */
  readonly providers: Providers;
  readonly names: ModelNames;
  /** Called when a call has ended. */
  onCall(call: GatewayCall): void;
}

/** One call that the gateway answered. */
export interface GatewayCall {
  /** The model that was called, as `provider/model`. */
  readonly model: string;
  /** The HTTP status; for a reply that broke off, the status of its error. */
  readonly status: number;
  readonly ms: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  /** Undefined if no price is known, which does not mean zero. */
  readonly costUsd: number | undefined;
  /** Why it failed. */
  readonly error?: string;
}

/** Admits clients with this token; the comparison takes constant time, so that it reveals nothing about the token, not even its length. */
export function admitting(
  token: string,
  client: GatewayClient,
): (given: string) => GatewayClient | undefined {
  const expected = digest(token);
  return (given) => (token !== "" && timingSafeEqual(digest(given), expected) ? client : undefined);
}

const digest = (text: string) => createHash("sha256").update(text).digest();
