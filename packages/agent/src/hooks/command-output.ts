/** What a hook's command has printed. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** How often a command's output is looked at while it runs. */
const PROGRESS_MS = 1000;
/** Hosts that read lines of limited length get this much of each stream. */
const MAX_TOLD = 65_536;

/** What hosts are told of an output. */
export function reportedOutput({
  stdout: all,
  stderr: allErrors,
}: CommandOutput): CommandOutput & { readonly output: string } {
  const stdout = all.slice(0, MAX_TOLD);
  const stderr = allErrors.slice(0, MAX_TOLD);
  return { output: stdout + stderr, stdout, stderr };
}

/** Tells what was printed whenever that has become more; returns how to stop it. */
export function reportOutput(
  printed: () => CommandOutput,
  tell: (printed: CommandOutput) => void,
): () => void {
  let toldLength = 0;
  const timer = setInterval(() => {
    const { length } = reportedOutput(printed()).output;
    if (length > toldLength) tell(printed());
    toldLength = length;
  }, PROGRESS_MS);
  // Nobody's end is put off for this.
  timer.unref();
  return () => clearInterval(timer);
}
