import { object } from "../schema/object.ts";
import { anything, literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** The provider's tools share one shape; what is inside `content` belongs to the tool, and may be an error. */
const resultOf = <const Type extends string>(type: Type) =>
  object({ type: literal(type), tool_use_id: string, content: anything });

/** What came of tools that run at the model's provider, by block type. */
export const serverToolResultBlocks = {
  web_search_tool_result: resultOf("web_search_tool_result"),
  web_fetch_tool_result: resultOf("web_fetch_tool_result"),
  tool_search_tool_result: resultOf("tool_search_tool_result"),
  code_execution_tool_result: resultOf("code_execution_tool_result"),
  bash_code_execution_tool_result: resultOf("bash_code_execution_tool_result"),
  text_editor_code_execution_tool_result: resultOf("text_editor_code_execution_tool_result"),
  advisor_tool_result: resultOf("advisor_tool_result"),
};

/** What came of one tool that runs at the model's provider. */
export type ServerToolResultBlock = Infer<
  (typeof serverToolResultBlocks)[keyof typeof serverToolResultBlocks]
>;
