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

/** The daemon's services that the console uses. */
export interface Client {
  readonly sessions: ClientOf<typeof SessionService>;
  readonly questions: ClientOf<typeof QuestionService>;
  readonly health: ClientOf<typeof HealthService>;
  readonly models: ClientOf<typeof ModelService>;
  readonly usage: ClientOf<typeof UsageService>;
  readonly audit: ClientOf<typeof AuditService>;
  /** Another service, for views that are loaded on demand. */
  readonly connect: <S extends DescService>(service: S) => ClientOf<S>;
  /** Whether a client name is that of this tab. */
  readonly isUs: (client: string) => boolean;
  /** The prefix of the client names of all tabs in this browser. */
  readonly ourName: string;
  /** Whether a client name belongs to a tab of this browser, open or closed. */
  readonly isOurs: (client: string) => boolean;
}

/** Headers to add to a request, evaluated for each request. */
export type Headers = () => readonly (readonly [name: string, value: string])[];

/** A client of the daemon that served this page; if that is a node of a cluster and dies, it moves to another node. */
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
    // Plain HTTP to this machine is safe only if the page itself came from this machine.
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
    // The daemon may append what it knows about us in parentheses.
    isOurs: (client) => client.startsWith(ourName),
    isUs: (client) => client === name || client.startsWith(`${name} (`),
  };
}

/** Whether the daemon requires this browser to sign in. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ConnectError && error.code === Code.Unauthenticated;

const FINAL: ReadonlySet<Code> = new Set([Code.NotFound, Code.Unauthenticated, Code.PermissionDenied]);

/** Whether retrying can't fix an error. */
export const isFinal = (error: unknown): boolean => error instanceof ConnectError && FINAL.has(error.code);

/** The message to show for a failed request, without the daemon's error code, which is for programs. */
export function textOfError(error: unknown): string {
  if (!(error instanceof ConnectError)) return "The daemon does not answer.";
  const text = error.rawMessage.replace(/^[A-Z_]+: /, "");
  if (/failed to fetch|networkerror|load failed/i.test(text)) return "The daemon does not answer.";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
