import type { ServerReflection } from "@agentwire/api";
import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ServiceImpl } from "@connectrpc/connect";

/** Tells clients such as grpcurl what this daemon speaks, so that they need no files of ours. */
export function reflection(services: readonly DescService[]): ServiceImpl<typeof ServerReflection> {
  const files = new Map<string, DescFile>();
  const collect = (file: DescFile): void => {
    if (files.has(file.proto.name)) return;
    files.set(file.proto.name, file);
    for (const dependency of file.dependencies) collect(dependency);
  };
  for (const { file } of services) collect(file);
  const symbols = symbolsOf([...files.values()]);

  return {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) {
        const { messageRequest: asked } = request;
        const base = { validHost: request.host, originalRequest: request };
        if (asked.case === "listServices") {
          const service = services.map(({ typeName: name }) => ({ name }));
          yield { ...base, messageResponse: { case: "listServicesResponse", value: { service } } } as const;
          continue;
        }
        const file =
          asked.case === "fileByFilename"
            ? files.get(asked.value)
            : asked.case === "fileContainingSymbol"
              ? symbols.get(asked.value)
              : undefined;
        if (file) {
          const value = { fileDescriptorProto: closure(file).map(encoded) };
          yield { ...base, messageResponse: { case: "fileDescriptorResponse", value } } as const;
        } else {
          const value = { errorCode: Code.NotFound, errorMessage: "there is no such thing here" };
          yield { ...base, messageResponse: { case: "errorResponse", value } } as const;
        }
      }
    },
  };
}

/** Every name that a client may ask for, with the file that has it. */
function symbolsOf(files: readonly DescFile[]): ReadonlyMap<string, DescFile> {
  return new Map(
    files.flatMap((file) => [
      ...file.messages.map(({ typeName }) => [typeName, file] as const),
      ...file.enums.map(({ typeName }) => [typeName, file] as const),
      ...file.services.flatMap((service) => [
        [service.typeName, file] as const,
        ...service.methods.map(({ name }) => [`${service.typeName}.${name}`, file] as const),
      ]),
    ]),
  );
}

/** A file with all it needs, the needed ones last. */
function closure(file: DescFile, seen = new Set<DescFile>()): readonly DescFile[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return [file, ...file.dependencies.flatMap((dependency) => closure(dependency, seen))];
}

const encoded = ({ proto }: DescFile) => toBinary(FileDescriptorProtoSchema, proto);
