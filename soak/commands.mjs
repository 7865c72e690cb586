import { parseArgs } from "node:util";
import { missingPrograms, SHELLS, tryCommands } from "./try-commands.mjs";

const HELP = `Makes commands of the programs and options that the agent takes for read-only, of git with all that it knows, and of what may turn
them into something else. What the agent would run unasked is run in bash and in zsh as another user, in namespaces of its own, without a
network, in copies of ordinary and hostile repositories. Fails if a file changed, or if a program started that is not on the agent's list.

  npm run soak:commands                     2000 commands in each shell
  npm run soak:commands -- --count 100      so many
  npm run soak:commands -- --shell zsh      in one shell
  npm run soak:commands -- --seed 7         the same commands again

Needs Linux with bwrap, strace, git, bash and zsh. Exit: 0 nothing was found, 1 otherwise, 2 wrong usage, 72 a program is missing.`;

const { values } = readArguments();
if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!(count > 0) || !Number.isInteger(seed)) fail("--count and --seed take a number");
const shells = values.shell ?? SHELLS;
for (const shell of shells) if (!SHELLS.includes(shell)) fail(`--shell takes ${SHELLS.join(" or ")}`);
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
    `${shell}: ${count} commands (seed ${seed}), ${ran} of them run unasked, ${found.length} did more than read\n`,
  );
  for (const { place, command, what } of found)
    process.stdout.write(`${JSON.stringify(command)} in ${place}: ${what}\n`);
  // Where nothing ran, nothing was tried.
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
