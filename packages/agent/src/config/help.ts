/** What `--help` prints. */
export const HELP = `agentwire-agent: an agent that speaks the Claude Code SDK protocol on its stdio.

  agentwire-agent -p "List the files here"          answer one prompt and exit
  agentwire-agent --input-format stream-json --output-format stream-json --verbose
                                                    talk to a host: one JSON object per line in both directions
  agentwire-agent --stdio --db ./agent.db           serve any number of sessions from one SQLite file, in the miriad dialect
  agentwire-agent --acp                             serve an editor over the Agent Client Protocol, with any number of sessions
  agentwire-agent --listen SOCKET                   run any number of sessions at once, each on its own connection to this socket
  agentwire-agent --dialect jsonrpc|dart|miriad|acp run one session in another dialect; most are detected without the flag
  agentwire-agent auth status | doctor              show how requests are authenticated; check the installation and the settings
  agentwire-agent mcp list|get|add|add-json|remove  manage the MCP servers of the user and the project; see mcp --help
  agentwire-agent trust [FOLDER]                    show what trusting a folder would allow, and trust it after confirmation
  agentwire-agent plugin validate FOLDER            report the problems of a plugin
  agentwire-agent --version

The model
  ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL   access to the Messages API; without any of them the offline demo answers
  --model NAME, --fallback-model NAME, --max-thinking-tokens N
  --script FILE                                     take the replies from a file instead of a model, for tests and demos

The conversation
  --cwd FOLDER                                      the working directory
  --worktree [NAME]                                 work in a separate git worktree: .claude/worktrees/NAME, on the branch worktree-NAME
  --resume ID, --continue, --fork-session, --session-id UUID, --no-session-persistence
  --system-prompt TEXT, --append-system-prompt TEXT
  --max-turns N, --max-budget-usd X, --json-schema SCHEMA
  --consolidate-after TOKENS                        with --db: update long-term memory after this much new conversation (default: 10000; 0 for never)

A database
  --db FILE                                         store sessions, queues and long-term memory in this file (default with the flags below: ./agent.db)
  --repl                                            start a conversation in the terminal
  --inspect                                         show sessions, messages, tokens, queue and memory; --format text|json
  --dump [PROMPT]                                   show the request that would be sent, without sending it; --format json|text
  --compact                                         replace the conversation with a summary
  --session-id NAME                                 the session to use (default: "default")

Permissions
  --permission-mode default|acceptEdits|plan|bypassPermissions|dontAsk|auto
  --allowedTools "Read,Bash(git status *)", --disallowedTools RULES, --tools NAMES, --add-dir FOLDER
  --trust                                           trust the folder for this session: its hooks, servers, allow rules and environment apply
  --permission-prompt-tool stdio                    ask the host

Output
  --output-format text|json|stream-json, --include-partial-messages, --replay-user-messages
  --tolerant                                        report malformed input on stderr instead of exiting

All other flags that the official SDKs pass to the official CLI are understood; unknown flags are ignored with a warning.
`;
