import { HostError } from "../errors.ts";
import type { SDKMessage } from "../sdk/messages.ts";
import type { QueryOptions } from "../sdk/own-options.ts";
import type { Prompt, Query, WarmQuery } from "../sdk/query.ts";
import type { AgentQuery } from "./query.ts";
import { StartClock } from "./start-clock.ts";
import { openQuery } from "./start-query.ts";

/** The parameters of `startup` and `prewarm`. */
export interface StartupParams {
  readonly options?: QueryOptions;
  /** How long the agent may take to be ready; by default, the time of start hooks does not count. */
  readonly initializeTimeoutMs?: number;
}

/** Starts an agent and sets it up ahead of its one prompt. */
export async function startup(params: StartupParams = {}): Promise<WarmQuery> {
  return new Warm(await warmUp(params));
}

/** Starts an agent and waits until it is set up. */
export async function warmUp({ options = {}, initializeTimeoutMs }: StartupParams): Promise<AgentQuery> {
  const query = openQuery(options, true);
  const clock = new StartClock(initializeTimeoutMs);
  try {
    await clock.race(query.setUp((message: SDKMessage) => clock.note(message)));
    return query;
  } catch (error) {
    await query.return();
    throw error;
  }
}

class Warm implements WarmQuery {
  readonly #query: AgentQuery;
  #isTaken = false;

  constructor(query: AgentQuery) {
    this.#query = query;
  }

  query(prompt: Prompt): Query {
    if (this.#isTaken)
      throw new HostError("closed", "A warm query takes one prompt, and this one already has it.");
    this.#isTaken = true;
    void this.#query.send(prompt);
    return this.#query;
  }

  close(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#query.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isTaken = true;
    await this.#query.return();
  }
}
