import { options, sdk, show } from "./setup.mjs";

// A question of the model arrives like a permission; the answers go back in its input.
const canUseTool = async (_tool, input) => {
  const answers = Object.fromEntries(
    input.questions.map(({ question, options: [first] }) => [question, first.label]),
  );
  return { behavior: "allow", updatedInput: { ...input, answers } };
};

const run = { prompt: "Paint it", options: options("ask-user-question", { canUseTool }) };
for await (const message of sdk.query(run)) show(message);
