import { isAtLeast, type Release, type Version } from "./version.ts";

interface Feature {
  /** The earliest version that was seen to have it; untested versions in between count as lacking it. */
  readonly since: Release;
  /** The name by which `system/init` announces it, if it does. */
  readonly capability?: string;
  readonly meaning: string;
}

/** Features that a host may rely on only from some agent version or capability on. */
export const FEATURES = {
  control_requests: {
    since: "1.0.128",
    meaning: "Accepts control requests; earlier versions exit on any input but a user message.",
  },
  stdio_permission_prompts: {
    since: "1.0.128",
    meaning: "Accepts `--permission-prompt-tool stdio` and asks with `can_use_tool`.",
  },
  hook_callbacks: {
    since: "1.0.128",
    meaning: "Calls the hooks that `initialize` registers.",
  },
  hook_timeouts: {
    since: "2.0.77",
    meaning:
      "Waits for a hook of the host as long as its registration says; earlier versions wait one minute, then run the call.",
  },
  hook_asks: {
    since: "2.1.325",
    meaning:
      "Asks in every mode if a hook before a call says `ask`; earlier versions ask only where they would anyway.",
  },
  flag_settings: {
    since: "2.1.325",
    meaning:
      "Accepts `apply_flag_settings` while it runs, permission rules included; earlier versions never answer it.",
  },
  partial_messages: {
    since: "1.0.128",
    meaning: "Accepts `--include-partial-messages` and writes `stream_event` lines.",
  },
  session_flags: {
    since: "1.0.128",
    meaning:
      "Accepts `--session-id`, `--fork-session` and `--permission-mode`; earlier versions exit when given them.",
  },
  session_mirror: {
    since: "2.1.98",
    meaning: "Accepts `--session-mirror` and also writes its transcript as `transcript_mirror` lines.",
  },
  setting_sources: {
    since: "1.0.128",
    meaning: "Accepts `--setting-sources` and ignores a folder's own files unless it lists `project`.",
  },
  allow_skip_permissions_flag: {
    since: "2.0.77",
    meaning: "Accepts `--allow-dangerously-skip-permissions`.",
  },
  other_input: {
    since: "2.1.325",
    meaning:
      "Accepts input beyond prompts, requests and answers, such as a withdrawal; earlier versions exit on it.",
  },
  unknown_subtype_answers: {
    since: "2.1.325",
    meaning: "Answers an unknown control request with an error; earlier versions never answer it.",
  },
  single_mode_answer: {
    since: "2.1.325",
    meaning:
      "Answers `set_permission_mode` once and refuses an unknown mode; earlier versions answer twice and accept any mode.",
  },
  interrupt_receipts: {
    since: "2.1.325",
    capability: "interrupt_receipt_v1",
    meaning: "Answers `interrupt` with the messages that are still queued.",
  },
  interrupt_cancel_queued: {
    since: "2.1.325",
    capability: "interrupt_cancel_queued_v1",
    meaning: "Lets `interrupt` drop the queued messages too.",
  },
  message_lifecycle: {
    since: "2.1.325",
    capability: "msg_lifecycle_v1",
    meaning: "Reports what becomes of each user message that has a `uuid`.",
  },
} as const satisfies Readonly<Record<string, Feature>>;

/** The name of a feature in `FEATURES`. */
export type FeatureName = keyof typeof FEATURES;

// Every name that init is known to list, up to 2.1.328; any other name is new.
const KNOWN_CAPABILITIES: ReadonlySet<string> = new Set([
  "ask_user_question_unanswered_v1",
  "interrupt_cancel_queued_v1",
  "interrupt_receipt_v1",
  "interrupt_requeue_taken_v1",
  "interrupt_send_now_v1",
  "lifecycle_wakeup_source_v1",
  "mcp_call_check_permissions_v1",
  "mcp_call_result_not_for_model_v1",
  "mcp_read_resource_v1",
  "mcp_status_no_config_v1",
  "mcp_tool_ui_meta_v1",
  "msg_lifecycle_v1",
  "reload_plugins_refuse_if_busy_v1",
  "request_marker_lists_v1",
  "sdk_mcp_manifests",
  "sdk_mcp_tools_list_changed",
  "silent_resend_files_v1",
  "start_shell_task_v1",
  "ui_pane_widget_v1",
  "ui_surface_v1",
  "voice_call_talk_line_v1",
  "withdrawn_files_note_v2",
]);

const MAX_NEW_CAPABILITIES = 32;
const CAPABILITY_NAME = /^[\w.-]{1,64}$/;

/**
 * Whether an agent has a feature, by what its `system/init` announced or else by its version; an unknown
 * version counts as the newest. Don't use the list in the answer to `initialize` for this: it is shorter.
 */
export function supports(
  version: Version | undefined,
  capabilities: readonly string[] | undefined,
  feature: FeatureName,
): boolean {
  const { capability, since }: Feature = FEATURES[feature];
  if (capability !== undefined && capabilities !== undefined) return capabilities.includes(capability);
  return version === undefined || isAtLeast(version, since);
}

/** The capabilities that an init message lists; undefined if it has no such list. */
export function capabilitiesOf(init: { readonly capabilities?: unknown }): readonly string[] | undefined {
  const list = init.capabilities;
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : undefined;
}

/** The listed capabilities that this release doesn't know: printable names only, at most 32. */
export function newCapabilities(capabilities: readonly string[]): readonly string[] {
  const fresh = capabilities.filter((name) => !KNOWN_CAPABILITIES.has(name) && CAPABILITY_NAME.test(name));
  return [...new Set(fresh)].slice(0, MAX_NEW_CAPABILITIES);
}
