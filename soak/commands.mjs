import { parseArgs } from "node:util";
import { missingPrograms, SHELLS, tryCommands } from "./try-commands.mjs";

const HELP = `Generates shell commands from the programs and options that the agent considers read-only, from all subcommands and options of git, and
from syntax that may change their meaning. The commands that the agent would run without a question are run in bash and zsh as another
user, in separate namespaces without a network, in copies of ordinary and hostile repositories. Fails if a file changes, or if a program
starts that is not on the agent's list.

  npm run soak:commands                     2000 commands in each shell
  npm run soak:commands -- --count 100      this many commands
  npm run soak:commands -- --shell zsh      in one shell
  npm run soak:commands -- --seed 7         repeats the same commands

Needs Linux with bwrap, strace, git, bash and zsh. Exit codes: 0 if nothing was found, 1 otherwise, 2 for a usage error, 72 if a program is
missing.`;

const { values } = readArguments();
if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!(count > 0) || !Number.isInteger(seed)) fail("--count and --seed need a number");
const shells = values.shell ?? SHELLS;
for (const shell of shells) if (!SHELLS.includes(shell)) fail(`--shell must be ${SHELLS.join(" or ")}`);
const missing = missingPrograms(shells);
if (missing) {
  process.stderr.write(`${missing}\n`);
  process.exit(72);
}

for (const shell of shells) {
  const { ran, found } = await tryCommands({
    count,
    seed,
    shell,
    tell: (text) => process.stderr.write(`${text}\n`),
  });
  process.stdout.write(
    `${shell}: ${count} commands (seed ${seed}), ${ran} of them run without a question, ${found.length} did more than read\n`,
  );
  for (const { place, command, what } of found)
    process.stdout.write(`${JSON.stringify(command)} in ${place}: ${what}\n`);
  // If no command was run, nothing was tested.
  if (found.length > 0 || ran === 0) process.exitCode = 1;
}

function readArguments() {
  const options = {
    count: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    shell: { type: "string", multiple: true },
    help: { type: "boolean", default: false },
  };
  try {
    return parseArgs({ options });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n\n${HELP}\n`);
  process.exit(2);
}
