import { randomUUID } from "node:crypto";
import { type JsonObject, ProtocolError, type RequestContext } from "@agentwire/protocol";
import type { hostRequests, RequestOf, ResponseOf } from "@agentwire/protocol/control";
import { keepIn } from "../mcp/keep-file.ts";
import { toOutcome } from "../mcp/outcome.ts";
import type { SessionContext } from "../session/context.ts";
import type { McpOrigin, Tool } from "../tools/tool.ts";
import { mcpFacts } from "../tools/tool.ts";
import { readInput } from "../turn/call.ts";

type McpCall = RequestOf<typeof hostRequests, "mcp_call">;
type McpCallAnswer = ResponseOf<typeof hostRequests, "mcp_call">;

const MIN_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 600_000;
/** The maximum length of a result that is not meant for a model, in characters. */
const MAX_PLAIN_CHARS = 10_485_760;

/** Calls a tool of an MCP server on behalf of the host. Permissions are checked only if the host requests that. */
export async function mcpCall(
  session: SessionContext,
  request: McpCall,
  { signal }: Pick<RequestContext, "signal">,
): Promise<McpCallAnswer> {
  if (request.input_files || request.output_files)
    throw refusal("this agent does not support staging files", "mcp_call_no_container");
  const { mcp } = session;
  await mcp.settled(signal);
  const { tool, origin } = findTool(session, request.tool);
  const given = readInput(tool, request.arguments ?? {});
  if (typeof given === "string") throw refusal(given, "mcp_call_malformed");
  const callId = `toolu_${randomUUID().replaceAll("-", "")}`;
  const isChecked = request.check_permissions === true;
  const input = isChecked ? await permitted(session, tool, given, callId, signal) : given;
  const { timeout_ms } = request;
  const timeoutMs = timeout_ms && Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, timeout_ms));
  const result = await mcp.callTool(origin, input, { signal, ...(timeoutMs && { timeoutMs }) });
  const answer = await answerOf(session, origin, result, request.result_not_for_model === true, callId);
  return isChecked ? rewritten(session, tool, input, answer, callId, signal) : answer;
}

function findTool(
  { mcp }: SessionContext,
  name: string,
): { readonly tool: Tool; readonly origin: McpOrigin } {
  const tool = mcp.tools().find((one) => one.name === name);
  if (!tool?.mcp) throw refusal(`no connected MCP server has a tool ${name}`, "mcp_call_not_listed");
  if (tool.mcp.source === "sdk")
    throw refusal(
      `${tool.mcp.server} runs in the host, so the host has to call it directly`,
      "mcp_call_not_listed",
    );
  return { tool, origin: tool.mcp };
}

/** The input that a call may run with, after the same checks as for a call by the model. */
async function permitted(
  { gate, hooks, workspace }: SessionContext,
  tool: Tool,
  input: JsonObject,
  callId: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const facts = { tool_name: tool.name, tool_input: input, tool_use_id: callId, ...mcpFacts(tool) };
  const said = hooks.listens("PreToolUse")
    ? await hooks.run("PreToolUse", facts, { signal, toolUseId: callId })
    : undefined;
  const { decision: decided, reason } = said ?? {};
  if (decided === "deny" || decided === "defer" || said?.stop)
    throw didNotRun(reason ?? said?.stop?.reason ?? "a hook refused the call");
  if (gate.mode === "plan" && !tool.isReadOnly(input))
    throw didNotRun("changes are not allowed in plan mode");
  const decision = await gate.decide({
    tool,
    input: decided && said?.updatedInput ? said.updatedInput : input,
    callId,
    signal,
    workspace,
    ...(decided && { hookDecision: decided, hookReason: reason }),
  });
  if (decision.behavior === "deny") throw didNotRun(decision.message);
  const checked = readInput(tool, decision.input);
  if (typeof checked === "string") throw didNotRun(checked);
  return checked;
}

async function answerOf(
  { workspace }: SessionContext,
  { server, tool }: McpOrigin,
  result: JsonObject,
  isPlain: boolean,
  callId: string,
): Promise<McpCallAnswer> {
  const { structuredContent, _meta } = result as McpCallAnswer;
  const rest = { ...(structuredContent && { structuredContent }), ...(_meta && { _meta }) };
  const outcome = await toOutcome(result, server, keepIn(workspace.outputFolder, `mcp-${tool}-${callId}`));
  if (outcome.isError) throw new ProtocolError("refused", String(outcome.content));
  if (!isPlain) return { content: outcome.content, ...rest };
  const answer = { content: result.content ?? [], ...rest };
  if (JSON.stringify(answer).length > MAX_PLAIN_CHARS)
    throw new ProtocolError(
      "refused",
      `the tool ran, but its result is longer than ${MAX_PLAIN_CHARS} characters`,
    );
  return answer;
}

/** The answer after PostToolUse hooks had a chance to replace it. */
async function rewritten(
  { hooks }: SessionContext,
  tool: Tool,
  input: JsonObject,
  answer: McpCallAnswer,
  callId: string,
  signal: AbortSignal,
): Promise<McpCallAnswer> {
  if (!hooks.listens("PostToolUse")) return answer;
  const facts = {
    tool_name: tool.name,
    tool_input: input,
    tool_use_id: callId,
    tool_response: answer.content,
    ...mcpFacts(tool),
  };
  const { updatedToolOutput } = await hooks.run("PostToolUse", facts, { signal, toolUseId: callId });
  return updatedToolOutput === undefined ? answer : { content: updatedToolOutput };
}

const didNotRun = (why: string) => new ProtocolError("refused", `The tool did not run: ${why}`);

function refusal(
  why: string,
  errorCode: "mcp_call_no_container" | "mcp_call_malformed" | "mcp_call_not_listed",
) {
  return new ProtocolError("refused", why, { errorCode });
}
