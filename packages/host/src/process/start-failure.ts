import { delimiter, join } from "node:path";
import { isFile, isFolder } from "@agentwire/local/files";
import { errorMessage } from "@agentwire/protocol/support";
import { HostError } from "../errors.ts";
import type { Start } from "./start.ts";

/** Explains why the system did not start a program. */
export function startFailure(start: Start, cause: unknown): HostError {
  if (cause instanceof HostError) return cause;
  const { command, cwd } = start;
  const said = quoted(command);
  const options = { cause };
  switch ((cause as NodeJS.ErrnoException | undefined)?.code) {
    case "ENOENT":
    case "ENOTDIR":
      if (cwd !== undefined && !isFolder(cwd))
        return new HostError(
          "spawn_failed",
          `The folder ${quoted(cwd)} to run the agent in does not exist.`,
          options,
        );
      if (isThere(start))
        return new HostError(
          "not_executable",
          `${said} exists, but the interpreter named in its first line does not.`,
          options,
        );
      return new HostError(
        "agent_not_found",
        `Program ${said} not found. Install the agent, put it on PATH, or give its path.`,
        options,
      );
    case "EACCES":
    case "EPERM":
      return new HostError(
        "not_executable",
        `${said} is not executable: try chmod +x, or give another path.`,
        options,
      );
    case "E2BIG":
      return new HostError(
        "argument_too_long",
        "The command line or the environment is longer than the system allows: put long values in a file.",
        options,
      );
    default:
      return new HostError("spawn_failed", `${said} could not be started: ${errorMessage(cause)}`, options);
  }
}

function isThere({ command, env }: Start): boolean {
  if (command.includes("/")) return isFile(command);
  return (env.PATH ?? "").split(delimiter).some((folder) => isFile(join(folder, command)));
}

const quoted = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
