import type { ReloadSettingsResponse } from "@agentwire/api";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "../talk/client.ts";
import { reasonOf } from "../talk/rpc-error.ts";

/** How to apply settings that the daemon reads only at its start. */
const RESTART = "agentwire daemon stop && agentwire daemon start";

/** How the settings file differs from the running daemon, as lines for people. */
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
    // A daemon of an older release can't tell.
    if (error instanceof ConnectError && error.code === Code.Unimplemented) return [];
    return [`${reasonOf(error)}\n  The daemon keeps the settings it has.`];
  }
}

/** The lines about settings that need a restart. */
export const restartLines = ({ needRestart }: Pick<ReloadSettingsResponse, "needRestart">) =>
  needRestart.length > 0
    ? [
        `These settings have changed and apply after a restart: ${needRestart.join(", ")}\n  ${RESTART}    # sessions are kept`,
      ]
    : [];

/** Settings with their values, one per line. */
export const list = (changed: readonly string[]): string => changed.map((change) => `\n  ${change}`).join("");
