// Performs the tasks of the client score with our own library.
import { openSession } from "@agentwire/host";

const task = JSON.parse(process.env.AGENTWIRE_TASK);
const { answer = "allow_once", cancelAt, prompts } = task;
const DECISIONS = {
  allow_once: { behavior: "allow" },
  reject_once: { behavior: "deny", message: "no" },
};
/** The update messages on which the tasks cancel. */
const CANCEL_AT = { agent_message_chunk: "stream_event" };

try {
  const session = await openSession({
    agent: process.env.AGENTWIRE_AGENT,
    dialect: "acp",
    includePartialMessages: true,
    permissions: () => DECISIONS[answer],
  });
  const next = [...prompts];
  session.send(next.shift());
  let isCancelled = false;
  let text = "";
  for await (const message of session.messages) {
    if (message.type === CANCEL_AT[cancelAt] && !isCancelled) {
      isCancelled = true;
      void session.request("interrupt", {});
    }
    if (message.type === "assistant")
      text += message.message.content.map((block) => block.text ?? "").join("");
    if (message.type !== "result") continue;
    process.stdout.write(`${text}\n`);
    text = "";
    if (message.is_error) process.exitCode = 1;
    const prompt = next.shift();
    if (prompt === undefined) break;
    session.send(prompt);
  }
  await session.drain();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
