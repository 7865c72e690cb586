import { isFailure, type ResultMessage } from "@agentwire/protocol/messages";
import type { Draft } from "../../store/draft.ts";

/** The end of a turn; its usage comes from the meter. */
export function fromResult(message: ResultMessage, promptIds: readonly string[]): Draft {
  return {
    body: {
      case: "turnComplete",
      value: {
        subtype: message.subtype,
        isError: isFailure(message),
        text: message.result ?? "",
        errors: message.errors ?? [],
        durationMs: whole(message.duration_ms),
        numTurns: Math.max(0, Math.round(message.num_turns)),
        terminalReason: message.terminal_reason ?? "",
        structuredOutputJson:
          message.structured_output === undefined ? "" : JSON.stringify(message.structured_output),
        promptIds: [...promptIds],
        failure: failureOf(message),
      },
    },
  };
}

/** Why a turn failed; empty if it did not, or was interrupted. */
export function failureOf(message: ResultMessage): string {
  const { subtype, terminal_reason: reason = "", errors = [], result = "" } = message;
  // Agents that do not give the reason for a turn's end do not report an interrupt in another way either.
  const isSilent = subtype === "error_during_execution" && reason === "" && errors.length === 0;
  if (!isFailure(message) || reason.startsWith("aborted") || isSilent) return "";
  return (errors[0] ?? result) || subtype.replaceAll("_", " ");
}

/** Converts a peer's number to a valid count. */
const whole = (value: number) => BigInt(Math.max(0, Math.round(Number.isFinite(value) ? value : 0)));
