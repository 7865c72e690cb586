import { Checkpoints } from "../checkpoint/checkpoints.ts";
import type { Config } from "../config/config.ts";
import { openConversation } from "../store/open-conversation.ts";
import { UsageError } from "../usage-error.ts";

/** `--rewind-files`: restores the files of a resumed session to their state before a prompt; resolves to the exit code. */
export async function rewindFiles(
  config: Config,
  promptUuid: string,
  complain: (text: string) => void,
): Promise<number> {
  const opening = await openConversation(config);
  if (opening.kind === "refused") throw new UsageError(opening.reason);
  if (!opening.earlier) throw new UsageError("--rewind-files needs --resume or --continue");
  const checkpoints = new Checkpoints({
    configDir: config.configDir,
    sessionId: opening.earlier.sessionId,
    enabled: true,
    env: config.env,
    onUnsaved: (path) => complain(`agentwire-agent: ${path} could not be saved\n`),
  });
  const rewind = await checkpoints.rewind(promptUuid, false);
  if (!rewind.canRewind) {
    complain(`agentwire-agent: ${rewind.error}\n`);
    return 1;
  }
  complain(`agentwire-agent: the files were restored to their state before the prompt ${promptUuid}\n`);
  return 0;
}
