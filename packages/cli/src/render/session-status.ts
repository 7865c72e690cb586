import { type Session, SessionStatus } from "@agentwire/api";

export const TURN_FAILED = "turn failed";

/** Whether a session is idle because its last turn failed; such sessions are listed among those that need attention. */
export const lastTurnFailed = ({ status, turnFailure }: Session): boolean =>
  status === SessionStatus.IDLE && turnFailure !== "";
