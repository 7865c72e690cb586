import type { Handlers, JsonObject, RequestContext } from "@agentwire/protocol";
import type { agentRequests } from "@agentwire/protocol/control";
import type { PermissionAllow, PermissionResult } from "@agentwire/protocol/permission";
import { Queue } from "@agentwire/protocol/support";

/** Decides whether tools may run. */
export type PermissionHandler = NonNullable<Handlers<typeof agentRequests>["can_use_tool"]>;

/** A permission question as the agent asks it. */
export type PermissionRequest = Parameters<PermissionHandler>[0];

/** A permission question that waits for an answer; only the first answer counts. */
export interface Question {
  readonly request: PermissionRequest;
  /** Fires when the agent withdraws the question, or the deadline for the answer passes. */
  readonly signal: AbortSignal;
  /** Lets the tool run, optionally with another input or with new rules. */
  allow(changes?: {
    readonly input?: JsonObject;
    readonly rules?: PermissionAllow["updatedPermissions"];
  }): void;
  /** Denies the call; the reason is reported to the model. `interrupt` also ends the turn. */
  deny(reason: string, options?: { readonly interrupt?: boolean }): void;
}

/** Permission questions as a stream, for one reader. Questions that arrive before it starts reading are kept, withdrawn ones are left out. */
export class Questions implements AsyncIterable<Question> {
  readonly #waiting = new Queue<Question>();

  /** The handler that adds questions to the stream. */
  readonly ask = ((request: PermissionRequest, { signal }: RequestContext) =>
    new Promise<PermissionResult>((answer) => {
      this.#waiting.push({
        request,
        signal,
        allow: ({ input, rules } = {}) =>
          answer({
            behavior: "allow",
            ...(input && { updatedInput: input }),
            ...(rules && { updatedPermissions: rules }),
          }),
        deny: (message, { interrupt } = {}) =>
          answer({ behavior: "deny", message, ...(interrupt && { interrupt }) }),
      });
    })) satisfies PermissionHandler;

  /** Ends the stream: no more questions will come. */
  end(): void {
    this.#waiting.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Question, void, undefined> {
    for await (const question of this.#waiting) if (!question.signal.aborted) yield question;
  }
}
