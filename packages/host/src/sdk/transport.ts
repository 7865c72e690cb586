import type { SDKControlRequest, SDKControlResponse } from "./control-messages.ts";
import type { SDKMessage } from "./messages.ts";
import type { SDKActiveGoalMessage } from "./session-messages.ts";

type FromAgent =
  | SDKMessage
  | SDKActiveGoalMessage
  | SDKControlResponse
  | SDKControlRequest
  | { type: "control_cancel_request"; request_id: string }
  | { type: "keep_alive" };

/** A way to talk to an agent, line by line. */
export interface Transport {
  write(data: string): void | Promise<void>;
  close(): void;
  isReady(): boolean;
  readMessages(): AsyncGenerator<FromAgent, void, unknown>;
  expectControlResponse?(requestId: string): void;
  markDelivered?(message: object): void;
  endInput(): void;
  waitForExit?(): Promise<void>;
  [Symbol.dispose]?(): void;
}
