import type { PromptShell } from "../context/context.ts";
import type { Gate } from "../permission/gate.ts";
import { bashTool } from "../tools/bash/bash.ts";
import type { Workspace } from "../tools/workspace.ts";

/** Judges the commands of a prompt as calls of Bash: whoever wrote the prompt has allowed them, but a rule goes before that. */
export function promptRefusal(services: {
  readonly gate: Gate;
  readonly workspace: Workspace;
}): PromptShell["refusal"] {
  const tool = bashTool();
  return (command, signal) => {
    const { gate, workspace } = services;
    return gate.ruledOut({ tool, input: { command }, callId: "", signal, workspace });
  };
}
