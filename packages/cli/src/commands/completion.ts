import type { Command } from "../command.ts";

export const COMPLETION: Command = {
  name: "completion",
  summary: "prints a completion script for your shell",
  args: "bash|zsh|fish",
  count: [1, 2],
  details:
    'The script runs "agentwire completion words" with sessions, models or agents for names that only the daemon knows.',
  examples: [
    'eval "$(agentwire completion bash)"                 # in ~/.bashrc',
    'eval "$(agentwire completion zsh)"                  # in ~/.zshrc, after compinit',
    "agentwire completion fish | source                  # in ~/.config/fish/config.fish",
  ],
  run: async (call) => {
    const [{ completion }, { PROGRAM }] = await Promise.all([
      import("../completion/completion.ts"),
      import("./program.ts"),
    ]);
    return completion(PROGRAM, call);
  },
};
