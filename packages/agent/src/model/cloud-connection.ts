/// <reference path="./cloud-clients.d.ts" />
import { ModelError } from "@agentwire/models";
import type { Environment } from "@agentwire/models/providers";
import { errorMessage } from "@agentwire/protocol/support";
import type { APIError } from "@anthropic-ai/sdk";
import { type Connection, type ConnectionOptions, clientOptions } from "./anthropic-connection.ts";
import { toModelError } from "./anthropic-failure.ts";
import { awsRegion, type Cloud, nameAt, skipsAuth, switchOf, vertexRegion } from "./clouds.ts";

/** How to reach Claude at a cloud. */
export interface CloudOptions extends ConnectionOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Sent to a gateway that has the cloud's credentials. */
  readonly gatewayToken?: string | undefined;
}

/** A cloud's client package, and how to create a client from it. */
interface CloudClient {
  readonly package: string;
  load(): Promise<Readonly<Record<string, unknown>>>;
  readonly class: string;
  /** The address of a model, if the cloud's own variables set one. */
  address(env: Environment, model: string): string | undefined;
  /** Options that only this client has. */
  options(env: Environment, isOpen: boolean, model: string): object;
  /** What must be known before a client can be created. */
  prepare?(env: Environment, isOpen: boolean): Promise<object>;
}

const CLIENTS: Readonly<Record<Cloud, CloudClient>> = {
  bedrock: {
    package: "@anthropic-ai/bedrock-sdk@1.1.2",
    load: () => import("@anthropic-ai/bedrock-sdk"),
    class: "AnthropicBedrock",
    address: (env) =>
      env.ANTHROPIC_BEDROCK_BASE_URL || `https://bedrock-runtime.${awsRegion(env)}.amazonaws.com`,
    options: (env, skipAuth) => ({
      skipAuth,
      awsRegion: awsRegion(env),
      apiKey: env.AWS_BEARER_TOKEN_BEDROCK || null,
    }),
  },
  vertex: {
    package: "@anthropic-ai/vertex-sdk@1.1.3",
    load: () => import("@anthropic-ai/vertex-sdk"),
    class: "AnthropicVertex",
    address: (env, model) => env.ANTHROPIC_VERTEX_BASE_URL || vertexAddress(vertexRegion(model, env)),
    options: (env, isOpen, model) => ({
      region: vertexRegion(model, env),
      projectId: env.ANTHROPIC_VERTEX_PROJECT_ID || null,
      ...(isOpen && { authClient: { getRequestHeaders: async () => new Headers() } }),
    }),
  },
  foundry: {
    package: "@anthropic-ai/foundry-sdk@1.1.1",
    load: () => import("@anthropic-ai/foundry-sdk"),
    class: "AnthropicFoundry",
    address: ({ ANTHROPIC_FOUNDRY_BASE_URL: address, ANTHROPIC_FOUNDRY_RESOURCE: resource }) =>
      address || (resource && `https://${resource}.services.ai.azure.com/anthropic/`),
    options: ({ ANTHROPIC_FOUNDRY_API_KEY: key, ANTHROPIC_FOUNDRY_AUTH_TOKEN: token }, isOpen) => ({
      // The address is enough, and the client rejects both together.
      resource: null,
      ...(token && !isOpen
        ? { azureADTokenProvider: async () => token, apiKey: null }
        : { apiKey: isOpen ? "none" : key }),
    }),
    prepare: async ({ ANTHROPIC_FOUNDRY_API_KEY: key, ANTHROPIC_FOUNDRY_AUTH_TOKEN: token }, isOpen) =>
      key || token || isOpen ? {} : { azureADTokenProvider: await entraTokens(), apiKey: null },
  },
};

/** Some of Google's locations are not single regions. */
function vertexAddress(region: string): string {
  if (region === "global") return "https://aiplatform.googleapis.com/v1";
  if (region === "us" || region === "eu") return `https://aiplatform.${region}.rep.googleapis.com/v1`;
  return `https://${region}-aiplatform.googleapis.com/v1`;
}

/** Connects to Claude at a cloud through the official client for it, which the user has to install. */
export async function connectCloud(cloud: Cloud, options: CloudOptions): Promise<Connection> {
  const { env = {}, headers, gatewayToken } = options;
  const isOpen = skipsAuth(cloud, env);
  const kind = CLIENTS[cloud];
  if (!kind.address(env, ""))
    throw setupError(cloud, "set ANTHROPIC_FOUNDRY_RESOURCE or ANTHROPIC_FOUNDRY_BASE_URL to where it is");
  // If the project is known, Google's library need not look it up.
  passOn({ ...env, GOOGLE_CLOUD_PROJECT: env.GOOGLE_CLOUD_PROJECT || env.ANTHROPIC_VERTEX_PROJECT_ID });
  const Client = (await loadClient(cloud))[kind.class] as ClientClass;
  const prepared = await kind.prepare?.(env, isOpen);
  const defaultHeaders = {
    ...(isOpen && { "x-api-key": null }),
    ...(isOpen && gatewayToken && { authorization: `Bearer ${gatewayToken}` }),
    ...headers,
  };
  const clients = new Map<string, Client>();
  const clientFor = (model: string): Client => {
    const address = kind.address(env, model) ?? "";
    const own = kind.options(env, isOpen, model);
    const key = JSON.stringify([address, own]);
    const client =
      clients.get(key) ??
      construct(cloud, Client, { ...clientOptions(address, options), ...own, ...prepared, defaultHeaders });
    clients.set(key, client);
    return client;
  };
  // Report missing settings before the first call.
  clientFor("");
  return {
    clientFor,
    cloudName: (model) => nameAt(cloud, model, env),
    failureOf: (error) => {
      if (error instanceof Client.APIError) {
        // Retrying would only repeat the search for missing credentials.
        const isWithout = error.status === undefined && /credentials/i.test(error.message);
        return isWithout ? setupError(cloud, withCause(error), error) : toModelError(error);
      }
      return error instanceof Error && error.message.startsWith(NO_PROJECT)
        ? setupError(cloud, "ANTHROPIC_VERTEX_PROJECT_ID must name the project", error)
        : undefined;
    },
  };
}

/** The beginning of the Vertex client's error for a project that neither variables nor credentials name. */
const NO_PROJECT = "No projectId was given";

const withCause = ({ message, cause }: Error) =>
  cause === undefined ? message : `${message} ${errorMessage(cause)}`;

type Client = ReturnType<Connection["clientFor"]>;

interface ClientClass {
  readonly APIError: typeof APIError;
  new (options: object): Client;
}

function construct(cloud: Cloud, Client: ClientClass, options: object): Client {
  try {
    return new Client(options);
  } catch (error) {
    throw setupError(cloud, errorMessage(error), error);
  }
}

const IDENTITY = "@azure/identity@4.13.1";
/** The scope that a token needs. */
const ENTRA_SCOPE = "https://cognitiveservices.azure.com/.default";

/** Entra tokens for the user signed in to Azure, from Azure's own library if it is installed. */
async function entraTokens(): Promise<() => Promise<string>> {
  const { DefaultAzureCredential, getBearerTokenProvider } = await import("@azure/identity").catch(
    (error: unknown) => {
      const why = `there are no credentials: set ANTHROPIC_FOUNDRY_API_KEY or ANTHROPIC_FOUNDRY_AUTH_TOKEN, or, to use your Azure login, npm install ${IDENTITY} beside this agent`;
      throw setupError("foundry", why, error);
    },
  );
  return getBearerTokenProvider(new DefaultAzureCredential(), ENTRA_SCOPE);
}

async function loadClient(cloud: Cloud): Promise<Readonly<Record<string, unknown>>> {
  const { package: name, load } = CLIENTS[cloud];
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw setupError(cloud, errorMessage(error), error);
    const why = `the client for it can't be loaded: install it beside this agent with npm install ${name} (npm install -g ${name} if the agent is installed globally)`;
    throw setupError(cloud, why, error);
  }
}

/** Settings may have set variables that the libraries of the clouds read only from the process environment. */
function passOn(env: Environment): void {
  for (const [name, value] of Object.entries(env))
    if (/^(AWS|GOOGLE|GCLOUD|CLOUDSDK|AZURE|IDENTITY)_/.test(name) && value !== undefined)
      process.env[name] ??= value;
}

function setupError(cloud: Cloud, why: string, cause?: unknown): ModelError {
  return new ModelError(null, "cloud_setup", `${switchOf(cloud)} is set, but ${why}`, {
    cause,
    isFinal: true,
  });
}
