import type { Infer } from "../schema/schema.ts";
import { variants } from "../schema/union.ts";
import {
  consolidationMessage,
  errorNotice,
  injectedMessage,
  interruptedMessage,
  queuedMessage,
  sessionCreatedMessage,
} from "./extensions.ts";
import { hookProgressMessage, hookResponseMessage, hookStartedMessage } from "./hook-notices.ts";
import { initMessage } from "./init.ts";
import {
  apiRetryMessage,
  controlProgressMessage,
  refusalFallbackMessage,
  refusalMessage,
} from "./model-trouble.ts";
import {
  elicitationCompleteMessage,
  filesPersistedMessage,
  informationalMessage,
  localCommandOutputMessage,
  memoryRecallMessage,
  notificationMessage,
  permissionDeniedMessage,
  pluginInstallMessage,
} from "./notices.ts";
import { thinkingTokensMessage } from "./progress.ts";
import {
  commandsChangedMessage,
  compactBoundaryMessage,
  sessionStateMessage,
  shuttingDownMessage,
  statusMessage,
  writesLostMessage,
} from "./session.ts";
import {
  backgroundTasksMessage,
  taskNotificationMessage,
  taskProgressMessage,
  taskStartedMessage,
  taskUpdatedMessage,
} from "./tasks.ts";

/** Everything that an agent reports about itself and its session, by `subtype`. */
export const systemMessage = variants(
  "SystemMessage",
  "subtype",
  {
    init: initMessage,
    status: statusMessage,
    session_state_changed: sessionStateMessage,
    compact_boundary: compactBoundaryMessage,
    task_started: taskStartedMessage,
    task_progress: taskProgressMessage,
    task_updated: taskUpdatedMessage,
    task_notification: taskNotificationMessage,
    background_tasks_changed: backgroundTasksMessage,
    hook_started: hookStartedMessage,
    hook_progress: hookProgressMessage,
    hook_response: hookResponseMessage,
    permission_denied: permissionDeniedMessage,
    api_retry: apiRetryMessage,
    control_request_progress: controlProgressMessage,
    model_refusal_fallback: refusalFallbackMessage,
    model_refusal_no_fallback: refusalMessage,
    informational: informationalMessage,
    notification: notificationMessage,
    local_command_output: localCommandOutputMessage,
    thinking_tokens: thinkingTokensMessage,
    commands_changed: commandsChangedMessage,
    elicitation_complete: elicitationCompleteMessage,
    memory_recall: memoryRecallMessage,
    plugin_install: pluginInstallMessage,
    files_persisted: filesPersistedMessage,
    session_writes_lost: writesLostMessage,
    worker_shutting_down: shuttingDownMessage,
    queued: queuedMessage,
    injected: injectedMessage,
    interrupted: interruptedMessage,
    error: errorNotice,
    consolidation: consolidationMessage,
    session_created: sessionCreatedMessage,
  },
  "system/",
);

/** Everything that an agent reports about itself and its session, by `subtype`. */
export type SystemMessage = Infer<typeof systemMessage>;
