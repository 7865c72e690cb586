import { type Event, PromptState, SessionStatus } from "@agentwire/api";
import { EXIT_CODES, type ExitCode } from "@agentwire/protocol/support";

/** Follows one prompt through the events of its session to determine the exit code. */
export class TurnProgress {
  readonly #promptId: string;
  /** The exit code for the agent's latest failure, in case the prompt gets no turn. */
  #failure: ExitCode = EXIT_CODES.turnFailed;

  constructor(promptId: string) {
    this.#promptId = promptId;
  }

  /** The exit code, once an event decides it. */
  handle({ body }: Event): ExitCode | undefined {
    switch (body.case) {
      case "turnComplete":
        if (!body.value.promptIds.includes(this.#promptId)) return undefined;
        return body.value.isError ? EXIT_CODES.turnFailed : EXIT_CODES.done;
      case "promptChange":
        return body.value.promptId === this.#promptId && body.value.state === PromptState.CANCELLED
          ? this.#failure
          : undefined;
      case "error":
        this.#failure = CODES.get(body.value.code) ?? EXIT_CODES.turnFailed;
        return undefined;
      case "statusChange":
        // The agent would be started again only for the next prompt.
        return body.value.status === SessionStatus.FAILED ? this.#failure : undefined;
      default:
        return undefined;
    }
  }
}

const CODES: ReadonlyMap<string, ExitCode> = new Map([
  ["agent_not_found", EXIT_CODES.agentNotFound],
  ["not_executable", EXIT_CODES.agentNotFound],
  ["unsupported_version", EXIT_CODES.badConfig],
]);
