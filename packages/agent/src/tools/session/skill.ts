import type { PromptFile } from "../../context/context.ts";
import type { Tool } from "../tool.ts";

/** The tool by which the model reads a skill or command of the project. */
export function skillTool(prompts: () => Promise<ReadonlyMap<string, PromptFile>>): Tool {
  return {
    name: "Skill",
    description:
      "Read one of the skills that the user or the project has written down, and follow it. Use it when a skill's description fits the task.",
    inputSchema: {
      type: "object",
      properties: { skill: { type: "string", description: "Its name" }, args: { type: "string" } },
      required: ["skill"],
    },
    isReadOnly: () => true,
    async run({ skill, args }) {
      const known = await prompts();
      const found = known.get(String(skill).replace(/^\//, ""));
      if (!found)
        return {
          content: `There is no skill ${String(skill)}. Known: ${[...known.keys()].join(", ") || "none"}`,
          isError: true,
        };
      const text = await found.expand(typeof args === "string" ? args : "");
      return {
        content: text,
        data: { success: true, commandName: found.name, allowedTools: found.allowedTools },
      };
    },
  };
}
