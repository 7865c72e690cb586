import { create, createFileRegistry, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { GenFile } from "@bufbuild/protobuf/codegenv2";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";

/** What the generated code imports: from the library, except that descriptions of files are read faster. */

export type { GenEnum, GenFile, GenMessage, GenService } from "@bufbuild/protobuf/codegenv2";
export { enumDesc, messageDesc, serviceDesc } from "@bufbuild/protobuf/codegenv2";

/**
 * Reads the description of a file. The library reads it like any other message, by reflection, which took a quarter of the time of
 * starting a program.
 */
export function fileDesc(base64: string, imports: readonly GenFile[] = []): GenFile {
  const bytes = atob(base64);
  const proto = new Reader(bytes).message(FileDescriptorProtoSchema, bytes.length) as FileDescriptorProto;
  proto.messageType.forEach(nameFields);
  proto.dependency = imports.map((file) => file.proto.name);
  const imported = (name: string) => imports.find((file) => file.proto.name === name);
  return createFileRegistry(proto, imported).getFile(proto.name) as GenFile;
}

/** The generator leaves out names in JSON that follow from the names of the fields. */
function nameFields(message: DescriptorProto): void {
  for (const field of message.field)
    if (!Object.hasOwn(field, "jsonName")) field.jsonName = protoCamelCase(field.name);
  message.nestedType.forEach(nameFields);
}

type Values = Record<string, unknown>;

/** How to make messages of a type. */
interface Shape {
  /** Has the default values. */
  readonly prototype: object;
  readonly lists: readonly string[];
  readonly fields: readonly (DescField | undefined)[];
}

const shapes = new Map<DescMessage, Shape>();

function shapeOf(desc: DescMessage): Shape {
  const known = shapes.get(desc);
  if (known) return known;
  const fields: DescField[] = [];
  for (const field of desc.fields) fields[field.number] = field;
  const lists = desc.fields.filter(({ fieldKind }) => fieldKind === "list");
  const prototype = Object.getPrototypeOf(create(desc)) as object;
  const shape = { prototype, fields, lists: lists.map(({ localName }) => localName) };
  shapes.set(desc, shape);
  return shape;
}

/** Reads the messages of which descriptions consist, which have numbers below 2³¹ and ASCII texts only. */
class Reader {
  /** One character for each byte. */
  readonly #bytes: string;
  #at = 0;

  constructor(bytes: string) {
    this.#bytes = bytes;
  }

  message(desc: DescMessage, end: number): unknown {
    const { prototype, lists, fields } = shapeOf(desc);
    const message = Object.create(prototype) as Values;
    message.$typeName = desc.typeName;
    for (const name of lists) message[name] = [];
    while (this.#at < end) {
      const number = this.#number() >>> 3;
      const field = fields[number];
      if (!field) throw new Error(`${desc.typeName} has no field ${number}`);
      const value = this.#value(field);
      if (field.fieldKind === "list") (message[field.localName] as unknown[]).push(value);
      else message[field.localName] = value;
    }
    return message;
  }

  /** A number, or the length of what follows, comes first in any case. */
  #value({ name, message, enum: named, scalar }: DescField): unknown {
    const number = this.#number();
    if (message) return this.message(message, this.#at + number);
    if (named || scalar === ScalarType.INT32) return number;
    if (scalar === ScalarType.BOOL) return number !== 0;
    if (scalar !== ScalarType.STRING) throw new Error(`the field ${name} is of another type`);
    this.#at += number;
    return this.#bytes.slice(this.#at - number, this.#at);
  }

  #number(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes.charCodeAt(this.#at++);
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
      if (shift === 28) throw new Error("a number is too large");
    }
  }
}
