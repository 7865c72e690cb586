import { expectTypeOf, test } from "vitest";
import type { ApiEvent, BlockDelta } from "../../src/content/api-event.ts";
import type { ContentBlock, ToolResultBlock } from "../../src/content/content.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import type { AssistantMessage } from "../../src/messages/assistant.ts";
import type { InitMessage } from "../../src/messages/init.ts";
import type { PromptMessage } from "../../src/messages/prompt.ts";
import type { ResultMessage } from "../../src/messages/result.ts";
import type { KeepAliveMessage, StatusMessage } from "../../src/messages/session.ts";
import type { UserMessage } from "../../src/messages/user.ts";
import type { Unknown } from "../../src/schema/unknown.ts";

test("a switch on type narrows an agent's message", () => {
  const narrow = (message: AgentMessage) => {
    switch (message.type) {
      case "assistant":
        return expectTypeOf(message).toEqualTypeOf<AssistantMessage>();
      case "user":
        return expectTypeOf(message).toEqualTypeOf<UserMessage>();
      case "result":
        return expectTypeOf(message).toEqualTypeOf<ResultMessage>();
      case "unknown":
        return expectTypeOf(message).toEqualTypeOf<Unknown>();
      case "system":
        switch (message.subtype) {
          case "init":
            return expectTypeOf(message).toEqualTypeOf<InitMessage>();
          case "status":
            return expectTypeOf(message).toEqualTypeOf<StatusMessage>();
          default:
            return expectTypeOf(message.uuid).toBeString();
        }
      case "keep_alive":
        return expectTypeOf(message).toEqualTypeOf<KeepAliveMessage>();
      default:
        return;
    }
  };
  expectTypeOf(narrow).parameter(0).toEqualTypeOf<AgentMessage>();
});

test("a switch on type narrows a host's message", () => {
  const narrow = (message: HostMessage) => {
    switch (message.type) {
      case "user":
        return expectTypeOf(message).toEqualTypeOf<PromptMessage>();
      case "update_environment_variables":
        return expectTypeOf(message.variables).toEqualTypeOf<{ [key: string]: string }>();
      case "unknown":
        return expectTypeOf(message).toEqualTypeOf<Unknown>();
      case "keep_alive":
        return expectTypeOf(message).toEqualTypeOf<KeepAliveMessage>();
      default:
        return;
    }
  };
  expectTypeOf(narrow).parameter(0).toEqualTypeOf<HostMessage>();
});

test("a switch on type narrows a block exhaustively", () => {
  const text = (block: ContentBlock): string => {
    switch (block.type) {
      case "text":
        return block.text;
      case "thinking":
        return block.signature;
      case "redacted_thinking":
        return block.data;
      case "tool_use":
      case "server_tool_use":
      case "mcp_tool_use":
        expectTypeOf(block.input).toEqualTypeOf<JsonObject>();
        return block.name;
      case "tool_result":
        expectTypeOf(block).toEqualTypeOf<ToolResultBlock>();
        expectTypeOf(block.content).toEqualTypeOf<string | ContentBlock[] | null | undefined>();
        return block.tool_use_id;
      case "mcp_tool_result":
      case "web_search_tool_result":
      case "web_fetch_tool_result":
      case "tool_search_tool_result":
      case "code_execution_tool_result":
      case "bash_code_execution_tool_result":
      case "text_editor_code_execution_tool_result":
      case "advisor_tool_result":
        return block.tool_use_id;
      case "tool_reference":
        return block.tool_name;
      case "search_result":
        return block.title;
      case "image":
        return block.source.type === "base64" ? block.source.media_type : block.source.type;
      case "document":
        return block.source.type;
      case "unknown":
        return block.raw_type;
      default:
        return block satisfies never;
    }
  };
  expectTypeOf(text).returns.toBeString();
});

test("a switch on type narrows an event and its delta", () => {
  const text = (event: ApiEvent): string => {
    if (event.type !== "content_block_delta") return event.type;
    expectTypeOf(event.delta).toEqualTypeOf<BlockDelta>();
    return event.delta.type === "text_delta" ? event.delta.text : "";
  };
  expectTypeOf(text).returns.toBeString();
});

test("a field that may be absent has an optional type", () => {
  expectTypeOf<ResultMessage["total_cost_usd"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ResultMessage["duration_ms"]>().toBeNumber();
  expectTypeOf<ResultMessage["subtype"]>().toEqualTypeOf<
    | "success"
    | "error_during_execution"
    | "error_max_turns"
    | "error_max_budget_usd"
    | "error_max_structured_output_retries"
    | (string & {})
  >();
  expectTypeOf<UserMessage["uuid"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<AssistantMessage["uuid"]>().toBeString();
});
