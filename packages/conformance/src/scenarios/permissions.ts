import { at } from "../json-path.ts";
import { calls, says, toolUse } from "../scripted-api/script.ts";
import { allow, allowEverything, QUESTION, touch } from "./parts.ts";
import { permissionAnswers } from "./permission-answers.ts";
import type { Theme } from "./scenario.ts";

/** Who is asked, what answers may contain, and how they affect later calls. */
export const permissions: Theme = {
  name: "permissions",
  scenarios: [
    ...permissionAnswers,
    {
      name: "permission-always-allow",
      about: "a rule for the session makes the second question unnecessary",
      steps: [touch("a.txt", "toolu_b1", "a"), touch("b.txt", "toolu_b2", "b"), says("Both done.")],
      flow: async ({ agent, project }) => {
        agent.prompt("make files");
        const rules = [{ toolName: "Bash", ruleContent: "touch:*" }];
        const update = { type: "addRules", rules, behavior: "allow", destination: "session" };
        allow(agent, await agent.until(QUESTION), { updatedPermissions: [update] });
        const furtherQuestions = allowEverything(agent);
        await agent.result();
        return {
          furtherQuestions: furtherQuestions.count,
          files: [project.exists("a.txt"), project.exists("b.txt")],
        };
      },
      expect: { facts: { furtherQuestions: 0, files: [true, true] } },
    },
    {
      name: "permission-always-allow-suggested",
      about: "accepting the agent's suggestions saves a rule in the project",
      steps: [touch("a.txt", "toolu_b1", "a"), touch("a.txt", "toolu_b2", "b"), says("Both done.")],
      flow: async ({ agent, project }) => {
        agent.prompt("make files");
        const question = await agent.until(QUESTION);
        const furtherQuestions = allowEverything(agent);
        allow(agent, question, { updatedPermissions: at(question, "request", "permission_suggestions") });
        await agent.result();
        return {
          furtherQuestions: furtherQuestions.count,
          ruleSaved: project.read(".claude/settings.local.json")?.includes("Bash(touch"),
        };
      },
      expect: { facts: { furtherQuestions: 0, ruleSaved: true } },
    },
    {
      name: "parallel-permissions",
      about: "the agent asks about two commands in one message one at a time",
      steps: [
        {
          content: [
            toolUse("Bash", { command: "touch p1.txt", description: "one" }, "toolu_1"),
            toolUse("Bash", { command: "touch p2.txt", description: "two" }, "toolu_2"),
          ],
        },
        says("Both."),
      ],
      flow: async ({ agent, project }) => {
        agent.prompt("go");
        const first = await agent.until(QUESTION);
        const second = await agent.until(QUESTION, { withinMs: 1500 }).catch(() => undefined);
        if (second !== undefined) allow(agent, second);
        allow(agent, first);
        if (second === undefined) allow(agent, await agent.until(QUESTION));
        await agent.result();
        return {
          bothOpenAtOnce: second !== undefined,
          files: [project.exists("p1.txt"), project.exists("p2.txt")],
        };
      },
      expect: { facts: { bothOpenAtOnce: false, files: [true, true] } },
    },
    {
      name: "ask-user-question",
      about: "the host answers the model's questions in updatedInput",
      steps: [
        calls(
          "AskUserQuestion",
          {
            questions: [
              {
                question: "Which colour do you prefer?",
                header: "Colour",
                multiSelect: false,
                options: [
                  { label: "Red", description: "Warm" },
                  { label: "Blue", description: "Cool" },
                ],
              },
              {
                question: "Which sizes do you want?",
                header: "Sizes",
                multiSelect: true,
                options: [
                  { label: "S", description: "Small" },
                  { label: "M", description: "Medium" },
                  { label: "L", description: "Large" },
                ],
              },
            ],
          },
          "toolu_q1",
        ),
        says("Blue it is."),
      ],
      flow: async ({ agent, api }) => {
        agent.prompt("ask me");
        const question = await agent.until(QUESTION);
        const input = at(question, "request", "input") as object;
        const answers = { "Which colour do you prefer?": "Blue", "Which sizes do you want?": "S, L" };
        allow(agent, question, { updatedInput: { ...input, answers } });
        await agent.result();
        const results = JSON.stringify(
          api.messages(1).filter((message) => JSON.stringify(message).includes("tool_result")),
        );
        return { answersSent: results.includes("Blue") && results.includes("S, L") };
      },
      expect: { facts: { answersSent: true } },
    },
    {
      name: "exit-plan-mode",
      about: "the agent asks before leaving plan mode, then restores the previous mode",
      args: ["--permission-mode", "plan"],
      steps: [
        calls("ToolSearch", { query: "select:ExitPlanMode", max_results: 5 }, "toolu_s1"),
        calls("ExitPlanMode", { plan: "# Plan\n1. do it" }, "toolu_p1"),
        says("Plan approved."),
      ],
      flow: async ({ agent }) => {
        allowEverything(agent);
        await agent.turn("plan it");
      },
    },
    {
      name: "dont-ask",
      about: "in mode dontAsk the call is denied without a question, and system/permission_denied reports it",
      args: ["--permission-mode", "dontAsk"],
      steps: [touch("made.txt", "toolu_b1"), says("Not allowed.")],
      flow: async ({ agent, project }) => {
        const questions = allowEverything(agent);
        await agent.turn("make a file");
        return { questions: questions.count, made: project.exists("made.txt") };
      },
      expect: { facts: { questions: 0, made: false } },
    },
  ],
};
