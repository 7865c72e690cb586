import { type DescMessage, type MessageShape, toJsonString } from "@bufbuild/protobuf";

/** A message as the daemon's own JSON API spells it, in one line. */
export const jsonLine = <D extends DescMessage>(schema: D, message: MessageShape<D>): string =>
  `${toJsonString(schema, message)}\n`;
