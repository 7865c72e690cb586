import { type Event, EventSchema } from "@agentwire/api";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

/** The body of an event, as tests write it. */
export type Body = NonNullable<MessageInitShape<typeof EventSchema>["body"]>;

/** Makes events with increasing numbers. */
export class Events {
  #seq = 0;

  next(body: Body, more: { readonly parent?: string; readonly from?: number } = {}): Event {
    return create(EventSchema, {
      seq: BigInt(++this.#seq),
      time: timestampFromMs(this.#seq * 1000),
      body,
      parentToolUseId: more.parent ?? "",
      supersedesFrom: BigInt(more.from ?? 0),
    });
  }
}

export const delta = (messageId: string, index: number, text: string): Body => ({
  case: "textDelta",
  value: { messageId, index, text },
});

export const said = (messageId: string, text: string): Body => ({ case: "text", value: { messageId, text } });

export const called = (toolUseId: string, name = "Bash", input: unknown = {}, messageId = "m"): Body => ({
  case: "toolCallStart",
  value: { toolUseId, name, inputJson: JSON.stringify(input), messageId },
});

export const result = (toolUseId: string, text = "ok"): Body => ({
  case: "toolCallResult",
  value: { toolUseId, text, durationMs: 5n },
});

export const asked = (id: string, toolUseId: string): Body => ({
  case: "permissionAsked",
  value: { question: { id, toolUseId, toolName: "Bash" } },
});

export const decided = (questionId: string, decidedBy: string): Body => ({
  case: "permissionDecided",
  value: { questionId, decidedBy },
});

export const prompted = (promptId: string, text = "do it"): Body => ({
  case: "userInput",
  value: { promptId, text, client: "me" },
});

export const turnOver: Body = { case: "turnComplete", value: { subtype: "success" } };
