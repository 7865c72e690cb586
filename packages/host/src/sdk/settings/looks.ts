type StatusCommand = { type: "command"; command: string };

type FooterLink =
  | { type: "regex"; pattern: string; url: string; label?: string; [key: string]: unknown }
  | { type: string; [key: string]: unknown };

/** The settings for the display and the keyboard of an interactive agent. */
export interface SettingsOfLooks {
  agentPushNotifEnabled?: boolean;
  autoScrollEnabled?: boolean;
  bashEditDiffEnabled?: boolean;
  companyAnnouncements?: string[];
  defaultView?: "chat" | "transcript";
  editorMode?: "normal" | "vim";
  emojiCompletionEnabled?: boolean;
  feedbackDrafts?: "notify" | "quiet" | "off";
  feedbackSurveyRate?: number;
  footerLinksRegexes?: FooterLink[];
  inputNeededNotifEnabled?: boolean;
  keybindingFlavor?: "classic" | "readline";
  language?: string;
  maxProseWidth?: number;
  outputStyle?: string;
  prUrlTemplate?: string;
  preferredNotifChannel?:
    | "auto"
    | "iterm2"
    | "terminal_bell"
    | "iterm2_with_bell"
    | "kitty"
    | "ghostty"
    | "notifications_disabled";
  prefersReducedMotion?: boolean;
  promptSuggestionEnabled?: boolean;
  showClearContextOnPlanAccept?: boolean;
  showMessageTimestamps?: boolean;
  showThinkingSummaries?: boolean;
  showTurnDuration?: boolean;
  spellcheck?: {
    enabled?: boolean;
    checker?: string;
    language?: string;
    color?: string;
    [key: string]: unknown;
  };
  spinnerTipsEnabled?: boolean;
  spinnerTipsOverride?: {
    excludeDefault?: boolean;
    tips?: (string | { [key: string]: unknown })[];
    tipsFile?: string;
    label?: string;
    [key: string]: unknown;
  };
  spinnerVerbs?: { mode: "append" | "replace"; verbs: string[] };
  statusLine?: StatusCommand & {
    padding?: number;
    refreshInterval?: number;
    hideVimModeIndicator?: boolean;
  };
  subagentStatusLine?: StatusCommand;
  syntaxHighlightingDisabled?: boolean;
  terminalProgressBarEnabled?: boolean;
  terminalTitleFromRename?: boolean;
  /** A built-in theme, or one of the user. */
  theme?: string;
  timeFormat?: string;
  timeZone?: string;
  tui?: "default" | "fullscreen";
  verbose?: boolean;
  viewMode?: "default" | "verbose" | "focus";
  vimInsertModeRemaps?: { [key: string]: unknown };
  voice?: { enabled?: boolean; mode?: "hold" | "tap"; autoSubmit?: boolean };
  voiceEnabled?: boolean;
  wheelScrollAccelerationEnabled?: boolean;
}
