/** The exit codes of all our programs; 70, 72 and 78 are from sysexits.h, 130 and 143 are 128 + signal. */
export const EXIT_CODES = {
  done: 0,
  turnFailed: 1,
  badUsage: 2,
  internalError: 70,
  agentNotFound: 72,
  badConfig: 78,
  interrupted: 130,
  terminated: 143,
} as const;

/** One of the numbers in `EXIT_CODES`. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
