import {
  AuditService,
  HealthService,
  ModelService,
  MovingTransport,
  QuestionService,
  SessionService,
  UsageService,
} from "@agentwire/api";
import type { DescService } from "@bufbuild/protobuf";
import {
  type Client as ClientOf,
  Code,
  ConnectError,
  createClient,
  type Interceptor,
} from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

/** Everything that the console asks of the daemon. */
export interface Client {
  readonly sessions: ClientOf<typeof SessionService>;
  readonly questions: ClientOf<typeof QuestionService>;
  readonly health: ClientOf<typeof HealthService>;
  readonly models: ClientOf<typeof ModelService>;
  readonly usage: ClientOf<typeof UsageService>;
  readonly audit: ClientOf<typeof AuditService>;
  /** Another service, for parts that are loaded when they are shown. */
  readonly connect: <S extends DescService>(service: S) => ClientOf<S>;
  /** Whether a name is that of this tab. */
  readonly isUs: (client: string) => boolean;
  /** What the names of all tabs of this browser begin with. */
  readonly ourName: string;
  /** Whether a name is that of a tab of this browser, now or earlier. */
  readonly isOurs: (client: string) => boolean;
}

/** Headers that each request has, looked up at each. */
export type Headers = () => readonly (readonly [name: string, value: string])[];

/** A client of the daemon that served this page; if it is a node of a cluster and dies, of another one. */
export function clientNamed(name: string, baseUrl: string, headers: Headers): Client {
  const to = (address: string, proof: Headers) => {
    const introduced: Interceptor = (next) => (request) => {
      request.header.set("agentwire-client", name);
      for (const [header, value] of proof()) request.header.set(header, value);
      return next(request);
    };
    return createConnectTransport({
      baseUrl: address,
      useBinaryFormat: true,
      interceptors: [introduced],
    });
  };
  const transport = new MovingTransport({
    named: [to(baseUrl, headers)],
    // What is sent to this machine without TLS stays on it only if this page came from there, too.
    open: (address, pass) =>
      address.startsWith("https://") || baseUrl.startsWith("http://")
        ? to(address, () => [["authorization", `Bearer ${pass()}`]])
        : undefined,
    isLasting: true,
  });
  const ourName = name.slice(0, name.lastIndexOf("-") + 1);
  return {
    sessions: createClient(SessionService, transport),
    questions: createClient(QuestionService, transport),
    health: createClient(HealthService, transport),
    models: createClient(ModelService, transport),
    usage: createClient(UsageService, transport),
    audit: createClient(AuditService, transport),
    connect: (service) => createClient(service, transport),
    ourName,
    // Behind what we call ourselves the daemon may put what it knows of us.
    isOurs: (client) => client.startsWith(ourName),
    isUs: (client) => client === name || client.startsWith(`${name} (`),
  };
}

/** Whether the daemon wants this browser to sign in. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ConnectError && error.code === Code.Unauthenticated;

const FINAL: ReadonlySet<Code> = new Set([Code.NotFound, Code.Unauthenticated, Code.PermissionDenied]);

/** Whether trying again won't change an error. */
export const isFinal = (error: unknown): boolean => error instanceof ConnectError && FINAL.has(error.code);

/** What people are told of a failed request; the daemon's own code before the text is for programs. */
export function textOfError(error: unknown): string {
  if (!(error instanceof ConnectError)) return "The daemon does not answer.";
  const text = error.rawMessage.replace(/^[A-Z_]+: /, "");
  if (/failed to fetch|networkerror|load failed/i.test(text)) return "The daemon does not answer.";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
