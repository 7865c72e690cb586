/** What `--help` prints. */
export const HELP = `agentwire-agent: an agent that speaks the Claude Code SDK protocol on its stdio.

  agentwire-agent -p "List the files here"          prints the answer and exits
  agentwire-agent --input-format stream-json --output-format stream-json --verbose
                                                    talks to a host: one JSON object per line, both ways
  agentwire-agent --stdio --db ./agent.db           serves any number of sessions from one SQLite file, in the miriad dialect
  agentwire-agent --dialect jsonrpc|dart|miriad     the same in another spelling; hosts that show theirs need not name it
  agentwire-agent auth status | doctor              how requests are authenticated; what is wrong with the settings
  agentwire-agent mcp list|get|add|add-json|remove  the MCP servers of user and project; mcp --help says how
  agentwire-agent trust [FOLDER]                    shows what a folder's files would allow themselves, and notes that you trust it
  agentwire-agent plugin validate FOLDER            what is wrong with a plugin
  agentwire-agent --version

The model
  ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL   the Messages API; without any of them the offline model answers
  --model NAME, --fallback-model NAME, --max-thinking-tokens N
  --script FILE                                     plays a file instead of a model, for tests and demos

The conversation
  --cwd FOLDER                                      works in that folder
  --resume ID, --continue, --fork-session, --session-id UUID, --no-session-persistence
  --system-prompt TEXT, --append-system-prompt TEXT
  --max-turns N, --max-budget-usd X, --json-schema SCHEMA
  --consolidate-after TOKENS                        with --db: brings long-term memory up to date after so much was said (10000; 0 for never)

A database
  --db FILE                                         keeps sessions, queues and long-term memory in it (./agent.db with the flags below)
  --repl                                            a conversation at the terminal
  --inspect                                         shows sessions, messages, tokens, queue and memory; --format text|json
  --dump [PROMPT]                                   shows the request that this would send, and sends none; --format json|text
  --compact                                         puts a summary in the place of what was said
  --session-id NAME                                 the session that is meant; default unless said otherwise

Permissions
  --permission-mode default|acceptEdits|plan|bypassPermissions|dontAsk|auto
  --allowedTools "Read,Bash(git status *)", --disallowedTools RULES, --tools NAMES, --add-dir FOLDER
  --trust                                           trusts the folder for this session: its hooks, servers, allow rules and environment count
  --permission-prompt-tool stdio                    asks the host

Output
  --output-format text|json|stream-json, --include-partial-messages, --replay-user-messages
  --tolerant                                        reports malformed input on stderr instead of exiting

All other flags of the official CLI that its SDKs pass are understood; flags nobody knows are ignored with a warning.
`;
