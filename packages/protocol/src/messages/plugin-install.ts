import { about } from "../schema/about.ts";
import { optional } from "../schema/object.ts";
import { oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** How the installation of plugins gets on. */
export const pluginInstallMessage = about(
  "X",
  "Sent while plugins are installed, before the first turn or beside it.",
  system("plugin_install", {
    status: oneOf("started", "installed", "failed", "completed"),
    name: optional(string),
    error: optional(string),
  }),
);

/** How the installation of plugins gets on. */
export type PluginInstallMessage = Infer<typeof pluginInstallMessage>;
