/** Other spellings of the wire, and how to tell which one is spoken. */

export { type AcpOpening, type AcpPort, AcpRouter } from "../dialect/acp/router.ts";
export {
  DIALECTS,
  dialectByName,
  dialectForVersion,
  dialectFromFlags,
  dialectOfAgentLine,
  dialectOfHostLine,
} from "../dialect/choose.ts";
export { detecting } from "../dialect/detect.ts";
export type { Dialect, DialectName, Translation, UnknownHandling } from "../dialect/dialect.ts";
