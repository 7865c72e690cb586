/** What `--help` prints. */
export const HELP = `agentwire-conformance [options] [scenario…] -- <command of the agent>

Plays the host of an agent, scripts the API it talks to, and compares what it writes with recordings of the official agent.
The agent gets a temporary project and home, a dummy key, and nothing else of your environment but what a program needs to run.

  --theme <name>    only this theme; may be repeated
  --fast            leaves out the scenarios that take a minute
  --jobs <n>        scenarios at a time (1)
  --timeout <s>     how long a scenario may take (40)
  --all             prints every difference, soft ones too
  --json            prints a report for programs
  --out <folder>    keeps the transcripts
  --list            lists the scenarios
  -h, --help        prints this

Exit: 0 everything matches or deviates on purpose, 1 something does not, 2 wrong usage.

Examples:
  agentwire-conformance --jobs 2 --fast -- agentwire-agent
  agentwire-conformance --theme permissions -- node ./my-agent.js
  agentwire-conformance --all two-turns -- claude
`;
