import type { ServerReflectionAlphaRequest, ServerReflectionRequest } from "@agentwire/api";
import { type DescFile, type DescMessage, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";

/** A request under either name of the service. */
type Request = ServerReflectionRequest | ServerReflectionAlphaRequest;

/** Describes the API to clients such as grpcurl, so that they need no proto files. */
export function reflection(services: readonly DescService[]) {
  const files = new Map<string, DescFile>();
  const collect = (file: DescFile): void => {
    if (files.has(file.proto.name)) return;
    files.set(file.proto.name, file);
    for (const dependency of file.dependencies) collect(dependency);
  };
  for (const { file } of services) collect(file);
  const symbols = symbolsOf([...files.values()]);

  const answerTo = ({ messageRequest: asked }: Request) => {
    if (asked.case === "listServices") {
      const service = services.map(({ typeName: name }) => ({ name }));
      return { case: "listServicesResponse", value: { service } } as const;
    }
    // The API has no extensions.
    if (asked.case === "allExtensionNumbersOfType" && symbols.has(asked.value))
      return { case: "allExtensionNumbersResponse", value: { baseTypeName: asked.value } } as const;
    const file =
      asked.case === "fileByFilename"
        ? files.get(asked.value)
        : asked.case === "fileContainingSymbol"
          ? symbols.get(asked.value)
          : undefined;
    if (file)
      return {
        case: "fileDescriptorResponse",
        value: { fileDescriptorProto: closure(file).map(encoded) },
      } as const;
    const value = { errorCode: Code.NotFound, errorMessage: "no such symbol" };
    return { case: "errorResponse", value } as const;
  };

  return async function* <R extends Request>(requests: AsyncIterable<R>) {
    for await (const request of requests)
      yield { validHost: request.host, originalRequest: request, messageResponse: answerTo(request) };
  };
}

/** Every name that a client may ask for, with the file that defines it. */
function symbolsOf(files: readonly DescFile[]): ReadonlyMap<string, DescFile> {
  const named = (file: DescFile) => [
    ...file.messages.flatMap(namesIn),
    ...file.enums.map(({ typeName }) => typeName),
    ...file.services.flatMap(({ typeName, methods }) => [
      typeName,
      ...methods.map(({ name }) => `${typeName}.${name}`),
    ]),
  ];
  return new Map(files.flatMap((file) => named(file).map((name) => [name, file] as const)));
}

const namesIn = ({ typeName, nestedMessages, nestedEnums }: DescMessage): readonly string[] => [
  typeName,
  ...nestedMessages.flatMap(namesIn),
  ...nestedEnums.map((nested) => nested.typeName),
];

/** A file, followed by all files that it depends on. */
function closure(file: DescFile, seen = new Set<DescFile>()): readonly DescFile[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return [file, ...file.dependencies.flatMap((dependency) => closure(dependency, seen))];
}

const encoded = ({ proto }: DescFile) => toBinary(FileDescriptorProtoSchema, proto);
