import type { ReloadSettingsResponse } from "@agentwire/api";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "../talk/client.ts";
import { reasonOf } from "../talk/rpc-error.ts";

/** How to make the daemon take what it takes only at its start. */
const RESTART = "agentwire daemon stop && agentwire daemon start";

/** What the settings file means for the daemon that runs, as lines for people. */
export async function pendingSettings(
  { admin }: Client,
  storeUrl: string | undefined,
): Promise<readonly string[]> {
  try {
    const news = await admin.reloadSettings({ dryRun: true, storeUrl: storeUrl ?? "" });
    const { changed, warnings } = news;
    return [
      ...warnings,
      ...(changed.length > 0
        ? [`These settings have changed; agentwire daemon reload applies them:${list(changed)}`]
        : []),
      ...restartLines(news),
    ];
  } catch (error) {
    // One of an older release does not know.
    if (error instanceof ConnectError && error.code === Code.Unimplemented) return [];
    return [`${reasonOf(error)}\n  The daemon keeps the settings it has.`];
  }
}

/** What is said of settings that a running daemon does not take. */
export const restartLines = ({ needRestart }: Pick<ReloadSettingsResponse, "needRestart">) =>
  needRestart.length > 0
    ? [
        `These settings have changed and apply after a restart: ${needRestart.join(", ")}\n  ${RESTART}    # sessions are kept`,
      ]
    : [];

/** Settings with their values, each in a line of its own. */
export const list = (changed: readonly string[]): string => changed.map((change) => `\n  ${change}`).join("");
