import { type DescMessage, type MessageShape, toJsonString } from "@bufbuild/protobuf";

/** A message on one line, in the JSON format of the daemon's API. */
export const jsonLine = <D extends DescMessage>(schema: D, message: MessageShape<D>): string =>
  `${toJsonString(schema, message)}\n`;
