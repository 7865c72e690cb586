import type { AgentMessage, HostMessage } from "@agentwire/protocol";
import { isFailure } from "@agentwire/protocol/messages";
import { after } from "@agentwire/protocol/support";

const MAX_IDS = 10_000;

/** How long to wait, after a result, for a turn of a prompt that may have joined the finished one. */
const NEXT_TURN_MS = 2000;

/**
 * Follows the messages between host and agent to know what is still open: a turn, a tool, a background task, a request in
 * either direction. An agent whose input ends while something is open can't ask its host any more.
 */
export class OpenWork {
  readonly #backgroundMs: number;
  readonly #onChange: () => void;
  /** True while a prompt waits or a turn runs. */
  #turn = false;
  /** Prompts, and ends of tasks, that have no result yet: they may have joined another turn, or still wait for their own. */
  #unanswered = 0;
  /** Prompts whose whole life the agent reports. */
  readonly #followed = new Set<string>();
  /** True while the agent reports that it is working or waiting for the host. */
  #active = false;
  #lastTurnFailed = false;
  readonly #tools = new Set<string>();
  readonly #tasks = new Set<string>();
  #requests = 0;
  readonly #waiting: (() => void)[] = [];
  #stopTimer: (() => void) | undefined;
  #over = false;

  constructor(backgroundMs: number, onChange: () => void) {
    this.#backgroundMs = backgroundMs;
    this.#onChange = onChange;
  }

  /** Whether a turn runs, as far as the messages show. */
  get hasTurn(): boolean {
    return this.#turn;
  }

  /** Whether the last result was a failure. */
  get lastTurnFailed(): boolean {
    return this.#lastTurnFailed;
  }

  /** Whether the agent has to act next: a turn runs and waits for no tool and no answer. */
  get isAgentsTurn(): boolean {
    return this.#turn && this.#requests === 0 && this.#tools.size === 0;
  }

  /** Whether a turn waits for a tool that the agent runs. */
  get isToolsTurn(): boolean {
    return this.#turn && this.#requests === 0 && this.#tools.size > 0;
  }

  /** Whether no turn runs and no answer is awaited; background tasks may still run. */
  get isResting(): boolean {
    return !this.#turn && this.#requests === 0;
  }

  get hasTasks(): boolean {
    return this.#tasks.size > 0;
  }

  /** Records a message to the agent. */
  sent(message: HostMessage): void {
    if (message.type !== "user") return;
    this.#turn = true;
    this.#unanswered++;
    this.#changed();
  }

  /** Records a message from the agent. */
  received(message: AgentMessage): void {
    switch (message.type) {
      case "assistant":
        if (message.parent_tool_use_id === null || message.parent_tool_use_id === undefined)
          for (const block of message.message.content)
            if (block.type === "tool_use") this.#note(this.#tools, block.id);
        break;
      case "user": {
        const { content } = message.message;
        if (typeof content !== "string")
          for (const block of content)
            if (block.type === "tool_result") this.#tools.delete(block.tool_use_id);
        break;
      }
      case "result":
        this.#lastTurnFailed = isFailure(message);
        this.#turn = (message.queued_turn_count ?? 0) > 0;
        this.#unanswered = Math.max(0, this.#unanswered - 1);
        this.#tools.clear();
        break;
      case "command_lifecycle":
        if (message.state === "queued" || message.state === "started")
          this.#note(this.#followed, message.command_uuid);
        else this.#followed.delete(message.command_uuid);
        // Such an agent reports what becomes of each prompt: no guessing is needed.
        this.#unanswered = 0;
        break;
      case "system":
        this.#receivedSystem(message);
        break;
      default:
        return;
    }
    this.#changed();
  }

  /** Records a request in either direction; returns a function to call when it is settled. */
  opened(): () => void {
    let isOpen = true;
    this.#requests++;
    this.#changed();
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#requests--;
      this.#changed();
    };
  }

  /** Resolves when nothing is open any more, or the agent has gone. */
  async settled(): Promise<void> {
    if (this.#over) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#changed();
    });
  }

  /** The agent has gone, and everything open with it; whether a turn was running stays known. */
  end(): void {
    this.#over = true;
    this.#settle();
  }

  #receivedSystem(message: Extract<AgentMessage, { type: "system" }>): void {
    switch (message.subtype) {
      case "init":
        this.#turn = true;
        return;
      case "session_state_changed":
        this.#active = message.state !== "idle";
        if (message.state === "running") this.#turn = true;
        if (message.state === "idle") this.#unanswered = 0;
        return;
      case "task_started":
        if (!message.ambient) this.#note(this.#tasks, message.task_id);
        return;
      case "task_notification":
        this.#taskEnded(message.task_id);
        return;
      case "task_updated":
        if (ENDED.has(message.patch.status)) this.#taskEnded(message.task_id);
        return;
      case "background_tasks_changed": {
        const alive = new Set(message.tasks.filter(({ ambient }) => !ambient).map(({ task_id }) => task_id));
        for (const id of this.#tasks) if (!alive.has(id)) this.#taskEnded(id);
        for (const id of alive) this.#note(this.#tasks, id);
      }
    }
  }

  #note(ids: Set<string>, id: string): void {
    // An agent that never reports ends must not fill the memory of the host.
    if (ids.size < MAX_IDS) ids.add(id);
  }

  #taskEnded(id: string): void {
    // The end of a background task starts a turn, as a prompt does.
    if (this.#tasks.delete(id) && !this.#turn) this.#unanswered = Math.max(this.#unanswered, 1);
  }

  #changed(): void {
    this.#onChange();
    if (this.#waiting.length === 0) return;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (!this.isResting) return;
    // It is not certain that this work ever ends: it is waited for, but not forever.
    if (this.hasTasks || this.#active || this.#followed.size > 0) this.#settleAfter(this.#backgroundMs);
    else if (this.#unanswered > 0) this.#settleAfter(NEXT_TURN_MS);
    else this.#settle();
  }

  #settleAfter(ms: number): void {
    this.#stopTimer = after(ms, () => this.#settle());
  }

  #settle(): void {
    this.#stopTimer?.();
    this.#unanswered = 0;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

const ENDED: ReadonlySet<string | undefined> = new Set(["completed", "failed", "killed"]);
