/** Agent versions: how well each is known, what it can do, and what to report about it. */

export type { AgentName } from "../compatibility/agent-name.ts";
export {
  capabilitiesOf,
  FEATURES,
  type FeatureName,
  newCapabilities,
  supports,
} from "../compatibility/capabilities.ts";
export {
  type CompatibilityVerdict,
  checkCompatibility,
  matrixRow,
  type VersionProbe,
} from "../compatibility/check.ts";
export {
  Degradation,
  type DegradationCounters,
  type DegradationNotice,
} from "../compatibility/degradation.ts";
export { type Deprecation, deprecationsFor, type ObservedFact } from "../compatibility/deprecation.ts";
export { COMPATIBILITY_LEVELS, type CompatibilityLevel } from "../compatibility/level.ts";
export { COMPATIBILITY_MATRIX, type MatrixRow, OUR_PROGRAM } from "../compatibility/matrix.ts";
export { type KnownAgent, printNotice, type StartupNotice } from "../compatibility/startup-notice.ts";
export {
  type AgentVersion,
  compareVersions,
  isAtLeast,
  type MinorLine,
  minorLine,
  parseVersion,
  printVersion,
  type Release,
  type Version,
  type VersionRange,
} from "../compatibility/version.ts";
