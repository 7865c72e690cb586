type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that agents read themselves, and those by which programs know language, terminal and time. */
const NEEDED =
  /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|USER|LOGNAME|SHELL|TRACEPARENT|TRACESTATE|ANTHROPIC_\w+|CLAUDE_\w+|CLAUDECODE|DISABLE_\w+|API_TIMEOUT_MS|MAX_THINKING_TOKENS|MAX_MCP_OUTPUT_TOKENS|BASH_\w+_TIMEOUT_MS|BASH_MAX_OUTPUT_LENGTH|MCP_\w*TIMEOUT|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

/** The part of an environment that goes inside: what agents need, and what settings name. */
export function reducedEnvironment(
  env: Environment,
  named: ReadonlySet<string>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (NEEDED.test(entry[0]) || named.has(entry[0])),
  );
  return { ...Object.fromEntries(kept), ...own };
}
