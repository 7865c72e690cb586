import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { holds, is, isResult, prompt } from "../wire.ts";

test("a turn names its prompts in its first line and delta, and also those that joined it in its result", {
  timeout: 30_000,
}, async () => {
  const place = await newPlace();
  const api = await newApi({
    steps: [{ content: [bash("until [ -e go ]; do sleep 0.05; done")] }, { text: "both" }],
  });
  const agent = openAgent(place, { env: api.env, args: [...UNASKED, "--include-partial-messages"] });
  const [first, second] = [randomUUID(), randomUUID()];
  agent.send(prompt("wait", { uuid: first }));
  await agent.line(holds("tool_use"));
  agent.send(prompt("and this", { uuid: second }));
  await agent.line((line) => is("command_lifecycle")(line) && line.command_uuid === second);
  await writeFile(join(place.cwd, "go"), "");
  const result = await agent.line(isResult);
  const named = (type: string) =>
    agent.lines
      .filter(is(type))
      .map(({ user_message_uuid, user_message_uuids }) => [user_message_uuid, user_message_uuids]);
  expect(agent.lines.find(is("system", "init"))?.user_message_uuids).toEqual([first]);
  expect(named("assistant")).toEqual([
    [first, [first]],
    [undefined, undefined],
  ]);
  expect(named("stream_event").filter(([uuid]) => uuid !== undefined)).toEqual([[first, [first]]]);
  expect(result).toMatchObject({ user_message_uuid: first, user_message_uuids: [first, second] });
});
