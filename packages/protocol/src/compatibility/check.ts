import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import type { LogLevel } from "../log.ts";
import { CLAUDE_CODE } from "./agent-name.ts";
import { supports } from "./capabilities.ts";
import type { CompatibilityLevel } from "./level.ts";
import { COMPATIBILITY_MATRIX, type MatrixRow, OUR_PROGRAM } from "./matrix.ts";
import { type KnownAgent, type StartupNotice, startupNotice } from "./startup-notice.ts";
import { type AgentVersion, minorLine, placeInRange, printVersion, type Version } from "./version.ts";

/** The result of asking an agent for its version. */
export type VersionProbe =
  | { readonly outcome: "found"; readonly version: AgentVersion }
  /** The version of another program, which the matrix does not cover. */
  | { readonly outcome: "foreign"; readonly text: string }
  | { readonly outcome: "unreadable"; readonly output: string }
  /** The agent failed when asked, for a reason that may be temporary. */
  | { readonly outcome: "failed"; readonly reason: string }
  /** The agent, or the runtime it needs, is not installed. */
  | { readonly outcome: "not_found"; readonly reason?: string };

/** What a probe means for starting: continue unless there is an `exitCode`. */
export interface CompatibilityVerdict {
  readonly level: CompatibilityLevel;
  readonly exitCode?: ExitCode;
  readonly logLevel: LogLevel;
  readonly message: string;
  /** The agent and its version, if found. */
  readonly detected?: string;
  /** Whether the agent failed when asked for its version: sessions are unlikely to work with it. */
  readonly hasFailed?: true;
  readonly notice?: StartupNotice;
}

/** The matrix row for a version of a program; undefined if the matrix has none. */
export function matrixRow(version: Version, program: string = OUR_PROGRAM): MatrixRow | undefined {
  const release = minorLine(version);
  return COMPATIBILITY_MATRIX.find((row) => row.program === program && row.release === release);
}

/** Judges a probed agent against a row of the matrix; the texts are the ones the daemon shows. */
export function checkCompatibility(
  probe: VersionProbe,
  row: MatrixRow,
  known: KnownAgent = {},
): CompatibilityVerdict {
  const { title, command } = known.agent ?? CLAUDE_CODE;
  switch (probe.outcome) {
    case "found":
      return judgeVersion(probe.version, row, known, title);
    case "not_found":
      return {
        level: "INCOMPATIBLE",
        exitCode: EXIT_CODES.agentNotFound,
        logLevel: "error",
        message: probe.reason ? `${title} can't be run: ${probe.reason}` : `${command} CLI not found in PATH`,
      };
    case "failed":
      return {
        level: "UNKNOWN",
        logLevel: "error",
        message: `${title} did not report its version: ${probe.reason}`,
        hasFailed: true,
      };
    case "foreign":
      return {
        level: "UNKNOWN",
        logLevel: "warn",
        message: `${quoteStart(probe.text)} is not a version of ${CLAUDE_CODE.title}, treated as the newest`,
      };
    case "unreadable":
      return {
        level: "UNKNOWN",
        logLevel: "warn",
        message: `${title} version not understood: ${quoteStart(probe.output)}, treated as the newest`,
      };
  }
}

function judgeVersion(
  version: AgentVersion,
  row: MatrixRow,
  known: KnownAgent,
  title: string,
): CompatibilityVerdict {
  const detected = `${title} v${printVersion(version)}`;
  switch (placeInRange(version, row.agent)) {
    case "below":
      return {
        level: "INCOMPATIBLE",
        exitCode: EXIT_CODES.badConfig,
        logLevel: "error",
        message: `${detected} < required v${row.agent.min}`,
        detected,
      };
    case "inside": {
      const limited = !supports(version, known.capabilities, "stdio_permission_prompts");
      return {
        level: "FULLY_COMPATIBLE",
        logLevel: "info",
        message: `${detected} detected (compatible)`,
        detected,
        ...(limited && { notice: startupNotice(version, row, "FULLY_COMPATIBLE", known) }),
      };
    }
    case "above":
      return {
        level: "LIKELY_COMPATIBLE",
        logLevel: "warn",
        message: `${detected} > tested v${row.agent.max}, may have breaking changes`,
        detected,
        notice: startupNotice(version, row, "LIKELY_COMPATIBLE", known),
      };
  }
}

function quoteStart(output: string): string {
  const shown = 80;
  return JSON.stringify(output.length > shown ? `${output.slice(0, shown)}…` : output);
}
