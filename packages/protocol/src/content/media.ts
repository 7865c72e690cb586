import { defaulted, object, optional } from "../schema/object.ts";
import { anything, literal, nullable, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { variants } from "../schema/union.ts";

const url = object({ type: literal("url"), url: string });
const file = object({ type: literal("file"), file_id: string });

const imageSource = variants("ImageSource", "type", {
  base64: object({
    type: literal("base64"),
    media_type: oneOf("image/jpeg", "image/png", "image/gif", "image/webp"),
    data: string,
  }),
  url,
  file,
});

/** A picture, inline or by reference. */
export const imageBlock = object({ type: literal("image"), source: imageSource });

/** A picture, inline or by reference. */
export type ImageBlock = Infer<typeof imageBlock>;

const documentSource = variants("DocumentSource", "type", {
  base64: object({ type: literal("base64"), media_type: oneOf("application/pdf"), data: string }),
  text: object({
    type: literal("text"),
    media_type: defaulted(oneOf("text/plain"), "text/plain"),
    data: string,
  }),
  content: object({ type: literal("content"), content: anything }),
  url,
  file,
});

/** A PDF or text document. */
export const documentBlock = object({
  type: literal("document"),
  source: documentSource,
  title: optional(nullable(string)),
  context: optional(nullable(string)),
});

/** A PDF or text document. */
export type DocumentBlock = Infer<typeof documentBlock>;
