import { options, sdk, show } from "./setup.mjs";

// A question of the model arrives as a permission question; the answers are returned in its input.
const canUseTool = async (_tool, input) => {
  const answers = Object.fromEntries(
    input.questions.map(({ question, options: [first] }) => [question, first.label]),
  );
  return { behavior: "allow", updatedInput: { ...input, answers } };
};

const run = { prompt: "Paint it", options: options("ask-user-question", { canUseTool }) };
for await (const message of sdk.query(run)) show(message);
