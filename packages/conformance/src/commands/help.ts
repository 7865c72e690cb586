/** What `--help` prints. */
export const HELP = `agentwire-conformance agent|host|acp-agent|acp-client|tools|record|diff|coverage …

How much of the wire a program speaks, and what changed between two versions of it.

  agent       scores an agent against recordings of the official one
  host        scores a program that drives agents, with scripted agents
  acp-agent   scores an agent of the Agent Client Protocol, with a scripted client
  acp-client  scores a client of that protocol, with scripted agents
  tools       compares what an agent's tools answer with what those of the official one do
  record      writes the contract of an agent: what it says, with which fields, in which order
  diff        compares two contracts
  coverage    lists every request, message and hook event of the protocol with the scenarios that exercise it

Each of them has a --help of its own.

Examples:
  agentwire-conformance agent --jobs 2 --fast -- agentwire-agent
  agentwire-conformance host -- node ./my-host.js
  agentwire-conformance record --fast -- claude > claude.json
  agentwire-conformance diff old.json new.json
`;

/** What `agent --help` prints. */
export const AGENT_HELP = `agentwire-conformance agent [options] [scenario…] -- <command of the agent>

Plays the host of an agent, scripts the API it talks to, and compares what it writes with recordings of the official agent.
The agent gets a temporary project and home, a dummy key, and nothing else of your environment but what a program needs to run.

  --theme <name>    only this theme; may be repeated
  --fast            leaves out the scenarios that take a minute
  --jobs <n>        scenarios at a time (1)
  --timeout <s>     how long a scenario may take (40)
  --all             prints every difference, soft ones too
  --json            prints a report for programs
  --junit <file>    writes a report for CI systems
  --out <folder>    keeps the transcripts
  --wire <name>     scripts another API than the Messages API: chat (Chat Completions) or responses; for agents that take
                    AGENTWIRE_PROVIDERS
  --list            lists the scenarios
  -h, --help        prints this

Exit: 0 everything matches or deviates on purpose, 1 something does not, 2 wrong usage.

Examples:
  agentwire-conformance agent --jobs 2 --fast -- agentwire-agent
  agentwire-conformance agent --theme permissions -- node ./my-agent.js
  agentwire-conformance agent --all two-turns -- claude
`;

/** What `acp-agent --help` prints. */
export const ACP_AGENT_HELP = `agentwire-conformance acp-agent [options] [scenario…] -- <command of the agent>

Plays the client of an agent that speaks the Agent Client Protocol, scripts the API of its model (Messages, Chat Completions, Responses
or Gemini's), and looks at what it does. Every line is held against the protocol's own schema. The agent gets a temporary project
and home, dummy keys, and the address of the API in ANTHROPIC_BASE_URL, OPENAI_BASE_URL and GOOGLE_GEMINI_BASE_URL.

  --env <name=value>     one more variable for the agent; {api} is the address of the API; may be repeated
  --auth-method <id>     the login that the client uses
  --theme <name>         only this theme; may be repeated
  --jobs <n>             scenarios at a time (1)
  --timeout <s>          how long a scenario may take (30)
  --all                  prints every problem, and what was on stderr
  --json                 prints a report for programs
  --junit <file>         writes a report for CI systems
  --list                 lists the scenarios
  -h, --help             prints this

Exit: 0 everything is as it should be, 1 something is not, 2 wrong usage.

Examples:
  agentwire-conformance acp-agent --jobs 2 -- agentwire-agent --acp
  agentwire-conformance acp-agent --auth-method gemini-api-key --env GEMINI_MODEL=gemini-2.5-flash -- gemini --acp
`;

/** What `acp-client --help` prints. */
export const ACP_CLIENT_HELP = `agentwire-conformance acp-client [options] [scenario…] -- <command of the client>

Runs a program that drives agents by the Agent Client Protocol against scripted agents, and scores what it writes and how it ends. Every
line is held against the protocol's own schema. The program finds the path of the agent in AGENTWIRE_AGENT (or where its command
has {agent}) and what it is to do in AGENTWIRE_TASK, as JSON:

  prompts       sent in order, each after the end of the turn before; the agent's text of every turn is printed as a line
  answer        the kind of option with which questions are answered: allow_once (unless said otherwise) or reject_once
  cancelAt      cancels the turn when the first update of this kind comes

It ends with 0, or with another code where a turn failed. Where its command has {prompt}, that is the first prompt.

  --theme <name>    only this theme; may be repeated
  --jobs <n>        scenarios at a time (1)
  --timeout <s>     how long a client may take (20)
  --all             prints every problem, and what was on stderr
  --json            prints a report for programs
  --junit <file>    writes a report for CI systems
  --list            lists the scenarios
  -h, --help        prints this

Exit: 0 everything is as it should be, 1 something is not, 2 wrong usage.

Example:
  agentwire-conformance acp-client prompt -- npx acpx --agent {agent} --format quiet exec {prompt}
`;

/** What `tools --help` prints. */
export const TOOLS_HELP = `agentwire-conformance tools [options] -- <command of the agent>

Makes some 500 calls of tools (Read, Edit, Grep, Bash …) with an agent in temporary folders, and compares what the model is told with
what the official agent tells it. Ids, times and places do not count.

  --timeout <s>     how long one group of calls may take (120)
  --record <file>   writes the results instead of comparing them
  -h, --help        prints this

Exit: 0 every call is answered the same, in other words or differently on purpose, 1 one is not, 2 wrong usage.

Example:
  agentwire-conformance tools -- agentwire-agent
`;

/** What `record --help` prints. */
export const RECORD_HELP = `agentwire-conformance record [options] [scenario…] -- <command of the agent>

Drives an agent through the scenarios and prints its contract: the messages it writes with their fields and JSON types, what its
requests get, its flags, its capabilities, and which orders hold. Two contracts are compared with diff.

  --theme <name>    only this theme; may be repeated
  --fast            leaves out the scenarios that take a minute
  --jobs <n>        scenarios at a time (1)
  --timeout <s>     how long a scenario may take (40)
  --out <folder>    keeps the transcripts, as recordings
  --list            lists the scenarios
  -h, --help        prints this

Exit: 0 recorded, 2 wrong usage.

Example:
  agentwire-conformance record --fast --jobs 2 -- claude > claude.json
`;

/** What `diff --help` prints. */
export const DIFF_HELP = `agentwire-conformance diff [--json] <old contract> <new contract>

Says what was added (+), removed (-) and changed (~) from one version of an agent to another, and how it concerns our dialects and
schemas. Contracts are written by record.

Exit: 0 they are the same, 1 something differs, 2 wrong usage.

Example:
  agentwire-conformance diff old.json new.json
`;

/** What `coverage --help` prints. */
export const COVERAGE_HELP = `agentwire-conformance coverage [--json]

Lists every request, message and hook event that the protocol has a name for, with the scenarios that exercise it, or the reason why
none does.

Exit: 0 listed, 2 wrong usage.

Example:
  agentwire-conformance coverage --json > coverage.json
`;

/** What `host --help` prints. */
export const HOST_HELP = `agentwire-conformance host [options] [scenario…] -- <command of the host>

Runs a program that drives agents against scripted agents, and scores what it writes and how it ends. The program finds the path of
the agent in AGENTWIRE_AGENT (or where its command has {agent}) and what it is to do in AGENTWIRE_TASK, as JSON:

  prompts       sent in order, each after the result of the one before; the text of every result is printed as a line
  permissions   what is answered when a tool asks, by its name; "wait": nothing, until the question is withdrawn
  hooks         what the hooks answer, by event
  server        the name of an MCP server of its own, whose tool add adds a and b
  interruptAt   interrupts when the first message of this type comes
  silenceMs     an agent that is silent for so long in the middle of a turn, or stays so long after its end, is given up

It ends with 0, or with another code where the session failed.

  --theme <name>    only this theme; may be repeated
  --jobs <n>        scenarios at a time (1)
  --timeout <s>     how long a host may take (20)
  --all             prints every problem, and what was on stderr
  --json            prints a report for programs
  --junit <file>    writes a report for CI systems
  --list            lists the scenarios
  -h, --help        prints this

Exit: 0 everything is as it should be, 1 something is not, 2 wrong usage.

Example:
  agentwire-conformance host --jobs 2 -- node ./my-host.js
`;
