import { HELP } from "../config/help.ts";
import type { Command } from "./command.ts";

/** `help`: what `--help` prints. */
export const help: Command = ({ print }) => {
  print(HELP);
  return 0;
};
