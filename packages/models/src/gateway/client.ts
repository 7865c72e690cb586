import { createHash, timingSafeEqual } from "node:crypto";
import type { Providers } from "../providers/providers.ts";
import type { ModelNames } from "./model-names.ts";

/** Who calls, and what that means for the call. */
export interface GatewayClient {
  /** The providers that it may use. */
  readonly providers: Providers;
  readonly names: ModelNames;
  /** A call has ended. */
  onCall(call: GatewayCall): void;
}

/** One call that the gateway answered. */
export interface GatewayCall {
  /** The model that was asked, as `provider/model`. */
  readonly model: string;
  /** The HTTP status; of a reply that broke off, the one of its error. */
  readonly status: number;
  readonly ms: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  /** Undefined where no price is known: unknown is not zero. */
  readonly costUsd: number | undefined;
  /** Why it failed. */
  readonly error?: string;
}

/** Admits clients that give this token; how long comparing takes tells nothing of it, not even its length. */
export function admitting(
  token: string,
  client: GatewayClient,
): (given: string) => GatewayClient | undefined {
  const expected = digest(token);
  return (given) => (token !== "" && timingSafeEqual(digest(given), expected) ? client : undefined);
}

const digest = (text: string) => createHash("sha256").update(text).digest();
