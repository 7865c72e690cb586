/** What `--help` prints. */
export const HELP = `agentwire-agent: an agent that speaks the Claude Code SDK protocol on its stdio.

  agentwire-agent -p "List the files here"          prints the answer and exits
  agentwire-agent --input-format stream-json --output-format stream-json --verbose
                                                    talks to a host: one JSON object per line, both ways
  agentwire-agent --stdio --db ./agent.db           serves any number of sessions from one SQLite file, in the miriad dialect
  agentwire-agent --acp                             talks to an editor, in the Agent Client Protocol: any number of sessions
  agentwire-agent --listen SOCKET                   runs any number of sessions at once, each on a connection to this socket
  agentwire-agent --dialect jsonrpc|dart|miriad|acp one session in another dialect; most are detected without the flag
  agentwire-agent auth status | doctor              how requests are authenticated; what is wrong with the settings
  agentwire-agent mcp list|get|add|add-json|remove  the MCP servers of user and project; mcp --help says how
  agentwire-agent trust [FOLDER]                    shows what trusting a folder would allow, and trusts it
  agentwire-agent plugin validate FOLDER            what is wrong with a plugin
  agentwire-agent --version

The model
  ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL   the Messages API; without any of them the offline demo answers
  --model NAME, --fallback-model NAME, --max-thinking-tokens N
  --script FILE                                     plays a file instead of a model, for tests and demos

The conversation
  --cwd FOLDER                                      the working directory
  --worktree [NAME]                                 works in a git worktree of its own, .claude/worktrees/NAME on the branch worktree-NAME
  --resume ID, --continue, --fork-session, --session-id UUID, --no-session-persistence
  --system-prompt TEXT, --append-system-prompt TEXT
  --max-turns N, --max-budget-usd X, --json-schema SCHEMA
  --consolidate-after TOKENS                        with --db: updates long-term memory after this much new conversation (10000; 0 for never)

A database
  --db FILE                                         keeps sessions, queues and long-term memory in it (./agent.db with the flags below)
  --repl                                            a conversation at the terminal
  --inspect                                         shows sessions, messages, tokens, queue and memory; --format text|json
  --dump [PROMPT]                                   shows the request that would be sent, without sending it; --format json|text
  --compact                                         replaces the conversation with a summary
  --session-id NAME                                 the session; "default" if not given

Permissions
  --permission-mode default|acceptEdits|plan|bypassPermissions|dontAsk|auto
  --allowedTools "Read,Bash(git status *)", --disallowedTools RULES, --tools NAMES, --add-dir FOLDER
  --trust                                           trusts the folder for this session: its hooks, servers, allow rules and environment apply
  --permission-prompt-tool stdio                    asks the host

Output
  --output-format text|json|stream-json, --include-partial-messages, --replay-user-messages
  --tolerant                                        reports malformed input on stderr instead of exiting

All other flags of the official CLI that its SDKs pass are understood; unknown flags are ignored with a warning.
`;
