import type { PromptFile, PromptShell } from "../../context/context.ts";
import type { ProjectFiles } from "../../context/project-files.ts";
import { refused } from "../outcome.ts";
import type { Tool } from "../tool.ts";

/** The tool with which the model reads a skill or command of the project. */
export function skillTool(files: ProjectFiles, shell: PromptShell): Tool {
  return {
    name: "Skill",
    get description() {
      const skills = [...files.known.prompts.values()].filter(({ kind }) => kind === "skill");
      return [
        "Read one of the skills that the user or the project has written down, and follow it. Use it when a skill's description fits the task.",
        ...(skills.length > 0 ? ["Skills:", ...skills.map(rowOf)] : []),
      ].join("\n");
    },
    inputSchema: {
      type: "object",
      properties: { skill: { type: "string", description: "Its name" }, args: { type: "string" } },
      required: ["skill"],
    },
    isReadOnly: () => true,
    async refuse({ skill }) {
      const { prompts } = await files.load();
      return prompts.has(nameOf(skill)) ? undefined : unknownSkill(skill, prompts.keys());
    },
    async run({ skill, args }, { signal }) {
      const { prompts } = await files.load();
      const found = prompts.get(nameOf(skill));
      if (!found) return refused(unknownSkill(skill, prompts.keys()));
      const text = await found.expand(typeof args === "string" ? args : "", shell, signal);
      const data = { success: true, commandName: found.name, allowedTools: found.allowedTools };
      return { content: text, data };
    },
  };
}

const nameOf = (skill: unknown) => String(skill).replace(/^\//, "");

const unknownSkill = (skill: unknown, known: Iterable<string>) =>
  `Unknown skill: ${String(skill)}. Known: ${[...known].join(", ") || "none"}`;

const rowOf = ({ name, description }: PromptFile) => `- ${name}: ${description}`;
