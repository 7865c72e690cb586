import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { runningDaemon } from "./reach.ts";
import { list, restartLines } from "./settings-news.ts";

/** Makes the daemon reload its settings and prints what changed; invalid settings change nothing. */
export async function reload({ io, json }: Call): Promise<number> {
  const { admin } = await runningDaemon(io, "reload");
  const news = await admin.reloadSettings({});
  const { changed, needRestart, warnings } = news;
  if (json) io.stdout.write(`${JSON.stringify({ changed, needRestart, warnings })}\n`);
  else {
    for (const warning of warnings) io.stderr.write(`${warning}\n`);
    io.stdout.write(
      changed.length > 0 ? `The settings were reloaded:${list(changed)}\n` : "The settings were reloaded.\n",
    );
    for (const line of restartLines(news)) io.stderr.write(`${line}\n`);
  }
  return EXIT_CODES.done;
}
