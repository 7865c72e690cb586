import type { JsonObject } from "@agentwire/protocol";
import { says } from "../../scripted-api/script.ts";
import type { CallGroup, ToolCall } from "../call-group.ts";

const call = (tool: string, name: string, input: JsonObject): ToolCall => ({ name, tool, input });
const todo = (name: string, todos: unknown) => call("TodoWrite", name, { todos });
const fetch = (name: string, input: JsonObject) => call("WebFetch", name, input);

/** Lists, the web, questions, tasks, and tools that do not exist. */
export const otherCalls: CallGroup = {
  name: "other",
  // The official agent supports either the whole list or single tasks, not both.
  env: { CLAUDE_CODE_ENABLE_TASKS: "false" },
  args: [
    "--tools",
    "TodoWrite,WebFetch,WebSearch,Bash,Agent,TaskOutput,TaskStop,Skill,ExitPlanMode,AskUserQuestion,ListMcpResourcesTool,ReadMcpResourceTool",
  ],
  project: [],
  calls: [
    todo("a list", [{ content: "Test", status: "pending", activeForm: "Testing" }]),
    todo("a list that goes on", [{ content: "Test", status: "in_progress", activeForm: "Testing" }]),
    todo("a list that is done", [{ content: "Test", status: "completed", activeForm: "Testing" }]),
    todo("an empty list", []),
    todo("a status that is none", [{ content: "Test", status: "later", activeForm: "Testing" }]),
    todo("an item without a form", [{ content: "Test", status: "pending" }]),
    todo("an item without content", [{ content: "", status: "pending", activeForm: "Testing" }]),
    todo("no list", "Test"),
    call("TodoWrite", "nothing", {}),
    fetch("no address", { prompt: "what" }),
    fetch("no prompt", { url: "https://example.com" }),
    fetch("an address that is none", { url: "not an address", prompt: "what" }),
    fetch("a host that is not there", { url: "https://nowhere.invalid/", prompt: "what" }),
    fetch("a file", { url: "file:///etc/hostname", prompt: "what" }),
    fetch("a port that is closed", { url: "https://127.0.0.1:9/", prompt: "what" }),
    fetch("a name and password", { url: "https://user:secret@example.com/", prompt: "what" }),
    call("WebSearch", "a query that is too short", { query: "x" }),
    call("WebSearch", "no query", {}),
    call("NoSuchTool", "a tool that is none", { a: 1 }),
    call("bash", "a tool in lower case", { command: "echo hi" }),
    call("LS", "a tool of older versions", { path: "." }),
    call("Task", "the older name of Agent", { description: "x" }),
    call("BashOutput", "the output of a shell that is none", { bash_id: "nope" }),
    call("KillShell", "ending a shell that is none", { shell_id: "nope" }),
    call("TaskOutput", "the output of a task that is none", { task_id: "nope" }),
    call("TaskOutput", "no task", {}),
    call("TaskStop", "stopping a task that is none", { task_id: "nope" }),
    call("TaskStop", "stopping no task", {}),
    call("Skill", "a skill that is none", { skill: "no-such-skill" }),
    call("Skill", "no skill", {}),
    call("ExitPlanMode", "leaving plan mode outside of it", { plan: "do it" }),
    call("AskUserQuestion", "no questions", { questions: [] }),
    call("AskUserQuestion", "a question with one option", {
      questions: [
        { question: "Which?", header: "H", options: [{ label: "A", description: "a" }], multiSelect: false },
      ],
    }),
    call("ListMcpResourcesTool", "resources without servers", {}),
    call("ListMcpResourcesTool", "resources of a server that is none", { server: "nope" }),
    call("ReadMcpResourceTool", "a resource of a server that is none", { server: "nope", uri: "x://y" }),
    call("mcp__nope__tool", "a tool of a server that is none", {}),
  ],
};

const agent = (name: string, input: JsonObject, answer?: string): ToolCall => ({
  name,
  tool: "Agent",
  input,
  ...(answer !== undefined && { between: [says(answer)] }),
});

/** Giving work to subagents. */
export const agentCalls: CallGroup = {
  name: "agent",
  project: [],
  calls: [
    agent(
      "a task",
      {
        description: "Look around",
        prompt: "Look",
        subagent_type: "general-purpose",
        run_in_background: false,
      },
      "I looked.",
    ),
    agent(
      "a task without a type",
      { description: "Look around", prompt: "Look", run_in_background: false },
      "I looked again.",
    ),
    agent("a type that is none", {
      description: "Look",
      prompt: "Look",
      subagent_type: "nope",
      run_in_background: false,
    }),
    agent("no prompt", { description: "Look", subagent_type: "general-purpose" }),
    agent("no description", { prompt: "Look", subagent_type: "general-purpose", run_in_background: false }),
    agent("no parameters", {}),
    agent(
      "an answer of several lines",
      { description: "Look", prompt: "Look", subagent_type: "general-purpose", run_in_background: false },
      "One.\n\nTwo.",
    ),
  ],
};
