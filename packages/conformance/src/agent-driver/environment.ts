/** Environment variables in Node's form. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a program needs to run at all. Nothing else is passed on, so that no real key reaches the agent under test. */
const INHERITED = ["PATH", "LANG", "LC_ALL", "TZ", "SHELL", "USER", "LOGNAME", "LD_LIBRARY_PATH"];

/** The environment of an agent under test: a scripted API, a dummy key, and no traffic beyond it. */
export function agentEnvironment(
  inherited: Environment,
  where: { readonly home: string; readonly tmp: string; readonly apiUrl: string },
  extra: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const kept = INHERITED.flatMap((name) => {
    const value = inherited[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    HOME: where.home,
    TMPDIR: where.tmp,
    ANTHROPIC_BASE_URL: where.apiUrl,
    ANTHROPIC_API_KEY: "sk-ant-dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    // The official agent refuses to skip permissions for root outside of a sandbox, which CI containers are.
    IS_SANDBOX: "1",
    ...extra,
  };
}
