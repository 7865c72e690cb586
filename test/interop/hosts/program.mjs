/**
 * A host program that performs the tasks of `agentwire-conformance host` with the given SDK: the official one and ours have the same
 * interface.
 */
export async function run({ query, createSdkMcpServer, tool }, z) {
  const { prompts, permissions, hooks, server, interruptAt, silenceMs } = JSON.parse(
    process.env.AGENTWIRE_TASK,
  );
  const turns = prompts.map(() => deferred());

  async function* stream() {
    for (const [index, content] of prompts.entries()) {
      yield { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" };
      await turns[index].promise;
    }
  }

  const options = {
    pathToClaudeCodeExecutable: process.env.AGENTWIRE_AGENT,
    ...(permissions && { canUseTool: (name, input, { signal }) => decide(permissions[name], input, signal) }),
    ...(hooks && { hooks: callbacks(hooks) }),
    // Only our host has this option; the official one ignores it.
    ...(silenceMs && { agentwire: { deadlines: { silenceMs, exitMs: silenceMs } } }),
    ...(server && { mcpServers: { [server]: calculator(server) } }),
  };

  function calculator(name) {
    const add = tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }));
    return createSdkMcpServer({ name, version: "1.0.0", tools: [add] });
  }

  const isPlain = prompts.length === 1 && interruptAt === undefined;
  const session = query({ prompt: isPlain ? prompts[0] : stream(), options });
  let ended = 0;
  let isInterrupted = false;
  let failed = false;
  try {
    for await (const message of session) {
      if (message.type === interruptAt && !isInterrupted) {
        isInterrupted = true;
        await session.interrupt();
      }
      if (message.type !== "result") continue;
      failed = message.is_error;
      process.stdout.write(`${message.result ?? message.subtype}\n`);
      turns[ended++]?.resolve();
    }
    // The SDK has to notice if a session ends without a result for its last prompt.
    if (failed) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function decide(answer, input, signal) {
  if (answer !== "wait") return { updatedInput: input, ...answer };
  const denied = { behavior: "deny", message: "the question was withdrawn" };
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(denied)));
}

function callbacks(answers) {
  const matchers = Object.entries(answers).map(([event, answer]) => [
    event,
    [{ hooks: [async () => answer] }],
  ]);
  return Object.fromEntries(matchers);
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
