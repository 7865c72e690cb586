/** What a hook's command has printed. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** How often the output of a running command is checked. */
const PROGRESS_MS = 1000;
/** The limit for each stream, because some hosts read lines of limited length only. */
const MAX_REPORTED_CHARS = 65_536;

/** The part of an output that is reported to hosts. */
export function reportedOutput({
  stdout: all,
  stderr: allErrors,
}: CommandOutput): CommandOutput & { readonly output: string } {
  const stdout = all.slice(0, MAX_REPORTED_CHARS);
  const stderr = allErrors.slice(0, MAX_REPORTED_CHARS);
  return { output: stdout + stderr, stdout, stderr };
}

/** Reports the output whenever it has grown; returns a function that stops this. */
export function reportOutput(
  printed: () => CommandOutput,
  report: (printed: CommandOutput) => void,
): () => void {
  let reportedLength = 0;
  const timer = setInterval(() => {
    const { length } = reportedOutput(printed()).output;
    if (length > reportedLength) report(printed());
    reportedLength = length;
  }, PROGRESS_MS);
  // The timer must not keep the process alive.
  timer.unref();
  return () => clearInterval(timer);
}
