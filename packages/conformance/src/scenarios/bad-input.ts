import { calls, says } from "../scripted-api/script.ts";
import { BYPASS } from "./parts.ts";
import type { Expectation, Scenario, Stage, Theme } from "./scenario.ts";

const ENDS: Expectation = { exits: [1], facts: { ended: true }, stderr: true };

/** A flow that writes one line and checks whether the agent survives it. */
const survives =
  (line: string) =>
  async ({ agent }: Stage) => {
    agent.write(line);
    return { ended: await agent.gone(5000) };
  };

function fatalLine(name: string, about: string, line: string): Scenario {
  return { name, about, steps: [says("ok")], flow: survives(line), expect: ENDS };
}

/** Lines that no host should write. */
export const badInput: Theme = {
  name: "bad-input",
  scenarios: [
    {
      name: "invalid-json-line-on-stdin",
      about: "a line that is not JSON ends the process even after a turn, with the reason on stderr",
      steps: [says("ok"), says("ok2")],
      flow: async (stage) => {
        await stage.agent.turn("a");
        return survives('{"type":"user", this is not json')(stage);
      },
      expect: ENDS,
    },
    fatalLine("invalid-json-first-line", "a first line that is not JSON ends the process", "not json at all"),
    fatalLine("json-null-on-stdin", "null is valid JSON but not a message, and ends the process", "null"),
    fatalLine(
      "user-message-without-message",
      "a user line without a message ends the process",
      '{"type":"user"}',
    ),
    fatalLine(
      "user-message-wrong-role",
      "a user line with the role assistant ends the process",
      JSON.stringify({ type: "user", message: { role: "assistant", content: "x" } }),
    ),
    {
      name: "unknown-message-type-on-stdin",
      about: "a message of an unknown type is ignored",
      steps: [says("ok"), says("ok2")],
      flow: async ({ agent }) => {
        await agent.turn("a");
        agent.send({ type: "totally_new_type", payload: 1 });
        await agent.turn("b");
      },
    },
    {
      name: "keep-alive",
      about: "keep_alive lines from the host are silently accepted",
      steps: [says("ok"), says("ok2")],
      flow: async ({ agent }) => {
        agent.send({ type: "keep_alive" });
        await agent.turn("a");
        agent.send({ type: "keep_alive" });
        await agent.pause(500);
        agent.send({ type: "keep_alive" });
        await agent.turn("b");
      },
    },
    {
      name: "update-environment-variables",
      about: "new environment variables are silently accepted",
      args: BYPASS,
      steps: [calls("Bash", { command: 'echo "FOO=$LAB_FOO"', description: "e" }, "toolu_b1"), says("ok")],
      flow: async ({ agent }) => {
        agent.send({ type: "update_environment_variables", variables: { LAB_FOO: "bar" } });
        await agent.turn("a");
      },
    },
    {
      name: "environment-acknowledged",
      about:
        "new environment variables with a request id are acknowledged, and the answer lists those that were set",
      steps: [says("ok")],
      flow: async ({ agent }) => {
        agent.send({
          type: "update_environment_variables",
          request_id: "env_1",
          variables: { LAB_FOO: "1" },
        });
        await agent.until({ type: "control_response", response: { request_id: "env_1" } });
        await agent.turn("a");
      },
    },
    {
      name: "cancel-of-nothing",
      about: "cancelling an unknown request is silently accepted",
      steps: [says("ok")],
      flow: async ({ agent }) => {
        agent.send({ type: "control_cancel_request", request_id: "nothing" });
        await agent.turn("a");
      },
    },
    {
      name: "history-lines",
      about:
        "assistant and system lines from the host become history: they start no turn, and the model receives them",
      steps: [says("ok")],
      flow: async ({ agent, api }) => {
        const content = [{ type: "text", text: "SAID-EARLIER" }];
        agent.send({
          type: "assistant",
          message: { role: "assistant", content },
          parent_tool_use_id: null,
          session_id: "",
        });
        agent.send({ type: "system", subtype: "note", content: "NOTED" });
        await agent.turn("a");
        return { sent: api.sent(0, "SAID-EARLIER") };
      },
      expect: { facts: { sent: true } },
    },
  ],
};
