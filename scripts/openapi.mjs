import { readFileSync, writeFileSync } from "node:fs";
import { apiContract } from "./api-contract.mjs";

const PLACE = new URL("../packages/api/openapi.json", import.meta.url);

/** The JSON form of Protocol Buffers' scalars: 64-bit numbers are strings. */
const SCALARS = {
  TYPE_STRING: { type: "string" },
  TYPE_BOOL: { type: "boolean" },
  TYPE_BYTES: { type: "string", contentEncoding: "base64" },
  TYPE_DOUBLE: { type: "number" },
  TYPE_INT32: { type: "integer", format: "int32" },
  TYPE_UINT32: { type: "integer", format: "int32", minimum: 0 },
  TYPE_INT64: { type: "string", format: "int64" },
  TYPE_UINT64: { type: "string", format: "uint64" },
};
const ERROR = {
  type: "object",
  description: "A Connect error, returned if a request fails.",
  properties: {
    code: { type: "string", description: "A gRPC status code: not_found, permission_denied, …" },
    message: { type: "string" },
    details: { type: "array", items: { type: "object" } },
  },
};

/** The description of every unary call; streaming calls need Connect, gRPC or gRPC-Web. */
export function openApi() {
  const contract = apiContract();
  const { version } = JSON.parse(
    readFileSync(new URL("../packages/api/package.json", import.meta.url), "utf8"),
  );
  const paths = {};
  for (const { name, methods } of contract.services)
    for (const method of methods)
      if (!method.clientStreaming && !method.serverStreaming)
        paths[`/agentwire.v1.${name}/${method.name}`] = { post: operation(name, method) };
  const schemas = { "connect.Error": ERROR };
  for (const [name, message] of contract.messages)
    if (!message.isMap) schemas[keyOf(name)] = messageSchema(contract, message);
  for (const [name, { comment, values }] of contract.enums)
    schemas[keyOf(name)] = {
      type: "string",
      ...described(comment),
      enum: values.map((value) => value.name),
    };
  return {
    openapi: "3.1.0",
    info: {
      title: "The agentwire daemon",
      version,
      description:
        "The JSON form of agentwire.v1, generated from the Protocol Buffers by scripts/openapi.mjs. Streaming calls are not included.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      { url: "http://127.0.0.1:7433", description: "the port of `agentwire daemon start --port 7433`" },
    ],
    security: [{ token: [] }],
    tags: contract.services.map(({ name, comment }) => ({ name, ...described(comment) })),
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } }, schemas },
  };
}

function operation(service, { name, comment, inputType, outputType }) {
  const json = (type) => ({ "application/json": { schema: ref(type) } });
  return {
    operationId: `${service}_${name}`,
    tags: [service],
    summary: name.replace(/(?<!^)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`),
    ...described(comment),
    requestBody: { required: true, content: json(inputType) },
    responses: {
      200: { description: "done", content: json(outputType) },
      default: {
        description: "failed",
        content: { "application/json": { schema: { $ref: "#/components/schemas/connect.Error" } } },
      },
    },
  };
}

function messageSchema(contract, { comment, fields }) {
  const properties = fields.map((field) => [field.jsonName, fieldSchema(contract, field)]);
  return { type: "object", ...described(comment), properties: Object.fromEntries(properties) };
}

function fieldSchema(contract, field) {
  const entry = contract.messages.get(field.typeName);
  if (entry?.isMap)
    return {
      type: "object",
      ...described(field.comment),
      additionalProperties: valueSchema(entry.fields.find(({ name }) => name === "value")),
    };
  const value = valueSchema(field);
  if (field.label === "LABEL_REPEATED") return { type: "array", ...described(field.comment), items: value };
  return { ...value, ...described(field.comment) };
}

function valueSchema({ type, typeName }) {
  if (typeName === ".google.protobuf.Timestamp") return { type: "string", format: "date-time" };
  return SCALARS[type] ?? ref(typeName);
}

function ref(typeName) {
  return { $ref: `#/components/schemas/${keyOf(typeName)}` };
}

function keyOf(typeName) {
  return typeName.slice(1);
}

function described(comment) {
  return comment ? { description: comment } : {};
}

/** Writes it into the published package. */
export function writeOpenApi() {
  writeFileSync(PLACE, `${JSON.stringify(openApi(), null, 2)}\n`);
}
