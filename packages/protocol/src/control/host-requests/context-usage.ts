import { array } from "../../schema/collection.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";

const count = defaulted(number, 0);
const text = defaulted(string, "");
const named = object({ name: string, tokens: count });

const category = object({
  id: optional(
    oneOf(
      "system_prompt",
      "system_tools",
      "mcp_tools",
      "mcp_instructions",
      "mcp_tools_deferred",
      "system_tools_deferred",
      "custom_agents",
      "memory_files",
      "skills",
      "messages",
      "autocompact_buffer",
      "compact_buffer",
      "free_space",
    ),
  ),
  name: string,
  tokens: count,
  color: text,
  isDeferred: optional(boolean),
  kind: defaulted(oneOf("used", "free", "buffer", "deferred"), "used"),
});

const square = object({
  color: text,
  isFilled: defaulted(boolean, false),
  categoryName: text,
  tokens: count,
  percentage: count,
  squareFullness: count,
});

const skills = object({
  totalSkills: count,
  includedSkills: count,
  tokens: count,
  skillFrontmatter: defaulted(
    array(
      object({
        name: string,
        source: text,
        pluginName: optional(string),
        pluginId: optional(string),
        path: optional(string),
        tokens: count,
      }),
    ),
    [],
  ),
});

const messageBreakdown = object({
  toolCallTokens: count,
  toolResultTokens: count,
  attachmentTokens: count,
  assistantMessageTokens: count,
  userMessageTokens: count,
  redirectedContextTokens: count,
  unattributedTokens: count,
  toolCallsByType: defaulted(array(object({ name: string, callTokens: count, resultTokens: count })), []),
  attachmentsByType: defaulted(array(named), []),
});

/** The request for a picture of the context window. */
export const contextUsageRequests = {
  get_context_usage: {
    request: about(
      "R",
      "Asks what fills the context window.",
      object({
        subtype: literal("get_context_usage"),
        detail: optional(oneOf("summary", "full"), "`summary` estimates instead of counting"),
      }),
    ),
    response: object({
      categories: defaulted(array(category), []),
      totalTokens: count,
      maxTokens: count,
      rawMaxTokens: count,
      percentage: count,
      gridRows: defaulted(array(array(square)), []),
      model: text,
      memoryFiles: defaulted(array(object({ path: string, type: text, tokens: count })), []),
      mcpTools: defaulted(
        array(object({ name: string, serverName: text, tokens: count, isLoaded: optional(boolean) })),
        [],
      ),
      mcpInstructions: optional(array(object({ serverName: string, tokens: count }))),
      deferredBuiltinTools: optional(
        array(object({ name: string, tokens: count, isLoaded: defaulted(boolean, false) })),
      ),
      systemTools: optional(array(named)),
      systemPromptSections: optional(array(named)),
      agents: defaulted(
        array(
          object({
            agentType: string,
            source: text,
            pluginId: optional(string),
            path: optional(string),
            tokens: count,
          }),
        ),
        [],
      ),
      slashCommands: optional(object({ totalCommands: count, includedCommands: count, tokens: count })),
      skills: optional(skills),
      autoCompactThreshold: optional(number),
      autocompactSource: optional(string),
      isAutoCompactEnabled: defaulted(boolean, false),
      messageBreakdown: optional(messageBreakdown),
      apiUsage: defaulted(
        nullable(
          object({
            input_tokens: count,
            output_tokens: count,
            cache_creation_input_tokens: count,
            cache_read_input_tokens: count,
          }),
        ),
        null,
      ),
    }),
  },
};
