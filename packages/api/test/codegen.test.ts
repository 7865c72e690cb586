import { readdirSync, readFileSync } from "node:fs";
import { equals, toBinary } from "@bufbuild/protobuf";
import { fileDesc as fileDescOfLibrary, type GenFile } from "@bufbuild/protobuf/codegenv2";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { fileDesc } from "../src/codegen.ts";

const GENERATED = new URL("../src/generated/", import.meta.url);
const files = readdirSync(GENERATED, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
);

test.each(files)("%s is described as by the library", async (path) => {
  const url = new URL(path, GENERATED);
  const [, base64 = ""] = /fileDesc\("([^"]+)"/.exec(readFileSync(url, "utf8")) ?? [];
  const exported = (await import(url.pathname)) as Readonly<Record<string, unknown>>;
  const [name = ""] = Object.keys(exported).filter((one) => one.startsWith("file_"));
  const { dependencies } = exported[name] as GenFile;
  const ours = fileDesc(base64, dependencies).proto;
  const wanted = fileDescOfLibrary(base64, [...dependencies]).proto;
  expect(ours).toEqual(wanted);
  expect(equals(FileDescriptorProtoSchema, ours, wanted)).toBe(true);
  const [written, expected] = [ours, wanted].map((proto) => toBinary(FileDescriptorProtoSchema, proto));
  expect(written).toEqual(expected);
});

test("a description that would be read wrongly is refused", () => {
  const described = (...bytes: readonly number[]) => fileDesc(Buffer.from(bytes).toString("base64"));
  expect(() => described(0xf8, 0x01, 1)).toThrow("google.protobuf.FileDescriptorProto has no field 31");
  expect(() => described(0x50, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)).toThrow("a number is too large");
});
