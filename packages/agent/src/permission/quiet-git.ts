type Environment = Readonly<Record<string, string | undefined>>;

/** Git settings for calls that run without a question; they override those of the repository. */
const SETTINGS: Readonly<Record<string, string>> = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.sshCommand": "false",
  "core.askPass": "false",
  "core.alternateRefsCommand": "true",
  "credential.helper": "",
  // Otherwise `git diff` writes the index even with optional locks disabled.
  "diff.autoRefreshIndex": "false",
  "diff.ignoreSubmodules": "all",
  "fetch.recurseSubmodules": "false",
  "gpg.program": "false",
  "log.showSignature": "false",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
};

const VARIABLES: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_ASKPASS: "false",
  GIT_SSH_COMMAND: "false",
};

/** The environment in which read-only git commands start no other program and write nothing. */
export function quietGit(env: Environment): Readonly<Record<string, string>> {
  const before = Number(env.GIT_CONFIG_COUNT) || 0;
  const settings = Object.entries(SETTINGS).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${before + at}`, key],
    [`GIT_CONFIG_VALUE_${before + at}`, value],
  ]);
  const count = String(before + Object.keys(SETTINGS).length);
  return { ...VARIABLES, ...Object.fromEntries(settings), GIT_CONFIG_COUNT: count };
}
