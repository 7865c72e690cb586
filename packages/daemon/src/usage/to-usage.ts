import type { UsageSchema } from "@agentwire/api";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Amount } from "../store/amount.ts";

/** Converts usage for clients. */
export const toUsage = (amount: Amount): MessageInitShape<typeof UsageSchema> => ({
  inputTokens: BigInt(amount.inputTokens),
  outputTokens: BigInt(amount.outputTokens),
  cacheCreationInputTokens: BigInt(amount.cacheCreationInputTokens),
  cacheReadInputTokens: BigInt(amount.cacheReadInputTokens),
  costIncomplete: amount.isIncomplete,
  // Unknown is not zero.
  ...(amount.costUsd !== undefined && { costUsd: amount.costUsd }),
});
