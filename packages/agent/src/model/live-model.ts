import type { ModelReply } from "@agentwire/models";
import type { Model, ModelCall } from "./model.ts";

/** A model that can be replaced while it is in use: new credentials apply from the next call. */
export class LiveModel implements Model {
  #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  call(call: ModelCall, signal: AbortSignal): Promise<ModelReply> {
    return this.#model.call(call, signal);
  }

  replace(model: Model): void {
    this.#model = model;
  }
}
