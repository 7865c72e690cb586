/** Other spellings of the wire, and which one is spoken. */

export {
  DIALECTS,
  dialectByName,
  dialectForVersion,
  dialectFromFlags,
  dialectOfAgentLine,
} from "../dialect/choose.ts";
export { detecting } from "../dialect/detect.ts";
export type { Dialect, DialectName, Translation, UnknownHandling } from "../dialect/dialect.ts";
