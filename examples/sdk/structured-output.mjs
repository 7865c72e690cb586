import { z } from "zod";
import { options, sdk, show } from "./setup.mjs";

// The result is an object of this shape.
const { $schema: _, ...schema } = z.toJSONSchema(z.object({ city: z.string(), people: z.number() }));

const run = {
  prompt: "The largest city of Austria?",
  options: options("structured-output", { outputFormat: { type: "json_schema", schema } }),
};
for await (const message of sdk.query(run)) {
  show(message);
  if (message.type === "result") show({ city: message.structured_output.city });
}
