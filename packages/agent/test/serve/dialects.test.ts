import { connectToAgent } from "@agentwire/protocol";
import { DIALECTS } from "@agentwire/protocol/dialect";
import { expect, test } from "vitest";
import { startProgram } from "../agent-process.ts";
import { ASKED, bash, playing } from "../model-source.ts";
import { newPlace } from "../place.ts";

test.each(Object.values(DIALECTS))(
  "a host of the protocol package can use the program in dialect $name: prompts, a permission, an interrupt",
  { timeout: 30_000 },
  async (dialect) => {
    const place = await newPlace();
    const steps = [
      { content: [bash("touch made")] },
      { text: "Made." },
      { text: "Never finished.", chunkSize: 4, stallAfterChunks: 1 },
    ];
    const args = ["--dialect", dialect.name, ...ASKED, ...(await playing(place, { steps }))];
    const child = startProgram(place, { args });
    const asked: string[] = [];
    const host = connectToAgent({
      input: child.stdout,
      output: child.stdin,
      dialect,
      handlers: {
        can_use_tool({ tool_name, input }) {
          asked.push(tool_name);
          return { behavior: "allow", updatedInput: input };
        },
      },
    });
    const say = (content: string) => host.send({ type: "user", message: { role: "user", content } });
    const results = resultsOf(host.messages);
    say("Make it");
    expect(await results.next()).toMatchObject({ value: { result: "Made.", is_error: false } });
    expect(asked).toEqual(["Bash"]);
    await place.file("made");
    say("And now?");
    await host.request("interrupt", {});
    expect(await results.next()).toMatchObject({ value: { is_error: true } });
    await host.close();
  },
);

async function* resultsOf<M extends { readonly type: string }>(messages: AsyncIterable<M>) {
  for await (const message of messages) if (message.type === "result") yield message;
}
