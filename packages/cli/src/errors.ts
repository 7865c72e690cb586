import { EXIT_CODES, type ExitCode } from "@agentwire/protocol/support";

/** Why a command failed: the message says what is wrong, the hint how to fix it. */
export class CliError extends Error {
  override readonly name: string = "CliError";
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(
    message: string,
    {
      exitCode = EXIT_CODES.turnFailed,
      hint,
      cause,
    }: { exitCode?: ExitCode; hint?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** The command line is invalid. */
export class UsageError extends CliError {
  override readonly name = "UsageError";

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { exitCode: EXIT_CODES.badUsage, cause, ...(hint !== undefined && { hint }) });
  }
}
