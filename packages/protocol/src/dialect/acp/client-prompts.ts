import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../json.ts";
import type { CommandLifecycleMessage } from "../../messages/progress.ts";
import type { PromptMessage } from "../../messages/prompt.ts";
import type { ResultMessage } from "../../messages/result.ts";
import { RPC_ERRORS, type RpcId, rpcError, rpcResult } from "../jsonrpc/envelope.ts";
import { canonicalBlocks } from "./content.ts";
import { stopOf } from "./turn-end.ts";

/** The final states of a prompt that no turn answers. */
const WITHOUT_TURN: ReadonlySet<unknown> = new Set(["cancelled", "discarded", "refused"]);

/** A client's unanswered prompts: each is a request, answered when its turn ends. */
export class ClientPrompts {
  /** The request for each prompt, by the prompt's uuid. */
  readonly #open = new Map<string, RpcId>();

  /** The canonical prompt; undefined if it is empty. */
  take({ prompt }: JsonObject, id: RpcId): PromptMessage | undefined {
    const blocks = canonicalBlocks(prompt);
    const [only] = blocks;
    if (!only) return undefined;
    const uuid = randomUUID();
    this.#open.set(uuid, id);
    // A slash command must be the whole content, as a plain string.
    const content = blocks.length === 1 && only.type === "text" ? only.text : blocks;
    return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, uuid };
  }

  /** Whether a request is an open prompt. */
  has(id: unknown): boolean {
    return [...this.#open.values()].some((open) => open === id);
  }

  /** The answers to the prompts of a turn that has ended. */
  end(result: ResultMessage): readonly unknown[] {
    const [oldest] = this.#open.keys();
    const uuids = result.user_message_uuids ?? (oldest === undefined ? [] : [oldest]);
    const stop = stopOf(result);
    return uuids.flatMap((uuid) =>
      this.#answer(uuid, (id) =>
        "error" in stop
          ? rpcError(id, RPC_ERRORS.internal, stop.error)
          : rpcResult(id, { stopReason: stop.reason }),
      ),
    );
  }

  /** The answer to a prompt that ends without a turn. */
  follow({ command_uuid, state }: CommandLifecycleMessage): readonly unknown[] {
    if (!WITHOUT_TURN.has(state)) return [];
    return this.#answer(command_uuid, (id) =>
      state === "refused"
        ? rpcError(id, RPC_ERRORS.badParams, "the agent refused the prompt")
        : rpcResult(id, { stopReason: "cancelled" }),
    );
  }

  #answer(uuid: string, answer: (id: RpcId) => JsonObject): readonly unknown[] {
    const id = this.#open.get(uuid);
    this.#open.delete(uuid);
    return id === undefined ? [] : [answer(id)];
  }
}
