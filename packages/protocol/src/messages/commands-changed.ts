import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import type { Infer } from "../schema/schema.ts";
import { slashCommand } from "../slash-command.ts";
import { system } from "./system-shape.ts";

/** The slash commands that exist from now on. */
export const commandsChangedMessage = about(
  "X",
  "Sent when slash commands come or go during a session: it replaces the list that was known.",
  system("commands_changed", { commands: array(slashCommand) }),
);

/** The slash commands that exist from now on. */
export type CommandsChangedMessage = Infer<typeof commandsChangedMessage>;
