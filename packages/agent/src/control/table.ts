import type { Handlers } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import type { Session } from "../session/session.ts";
import { conversationControls } from "./conversation-controls.ts";
import { initializeControl } from "./initialize.ts";
import { mcpControls } from "./mcp-controls.ts";
import { moveControl } from "./move.ts";
import { queryControls } from "./queries.ts";
import { repoRootControl } from "./repo-root.ts";
import { sessionControls } from "./session-controls.ts";
import { settingsControls } from "./settings-controls.ts";
import { sideQuestionControl } from "./side-question.ts";

/** Every control request this agent answers; all others are refused as unsupported. */
export function controls(session: Session): Handlers<typeof hostRequests> {
  const { context } = session;
  return {
    ...initializeControl(session),
    ...sessionControls(session),
    ...queryControls(session),
    ...settingsControls(context),
    ...mcpControls(context),
    ...repoRootControl(context),
    ...sideQuestionControl(context),
    ...conversationControls(context),
    ...moveControl(session),
  };
}
