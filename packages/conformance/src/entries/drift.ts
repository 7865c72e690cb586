/** How versions of an agent differ, and what the scenarios exercise. */

export { type Covered, protocolCoverage } from "../coverage/coverage.ts";
export type { Contract } from "../drift/contract.ts";
export { type Change, type Drift, diffContracts, type Side } from "../drift/diff.ts";
