import { existsSync } from "node:fs";
import { join } from "node:path";
import { options, project, prompt, sdk, show } from "./setup.mjs";

// Restores the files to their state when a prompt was sent.
const uuid = "7d0c3f4e-0b5a-4c6d-8e9f-0a1b2c3d4e5f";
let rewound = () => {};
async function* prompts() {
  yield prompt("Write a note", { uuid });
  await new Promise((resolve) => {
    rewound = resolve;
  });
}

const query = sdk.query({
  prompt: prompts(),
  options: options("rewind-files", { enableFileCheckpointing: true, permissionMode: "acceptEdits" }),
});
for await (const message of query) {
  show(message);
  if (message.type !== "result") continue;
  const note = join(project, "note.txt");
  show({ before: existsSync(note), would: await query.rewindFiles(uuid, { dryRun: true }) });
  await query.rewindFiles(uuid);
  show({ after: existsSync(note) });
  rewound();
}
