import type { Socket } from "node:net";
import { isJsonObject } from "@agentwire/protocol";
import { type hostRequests, type RequestOf, readHostRequest } from "@agentwire/protocol/control";
import { parseJson } from "@agentwire/protocol/support";

/** The session that a connection asks for: its folder, flags and environment. */
export interface ClaimLine {
  readonly requestId: string;
  readonly claim: RequestOf<typeof hostRequests, "claim_session">;
}

/** A first line that is not a valid claim; it can be answered if `requestId` is set. */
export class BadClaim extends Error {
  readonly requestId: string | undefined;

  constructor(message: string, requestId?: string) {
    super(message);
    this.requestId = requestId;
  }
}

/** The limit for flags and environment together; hosts pass longer values in files. */
const MAX_BYTES = 4 * 1024 * 1024;
/** How long a connection may take to send its claim. */
const CLAIM_MS = 10_000;

/** Reads the first line of a connection and leaves the rest unread; throws a `BadClaim` if the line is invalid or late. */
export async function readClaim(socket: Socket): Promise<ClaimLine> {
  return parsed(await firstLine(socket));
}

function firstLine(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      clearTimeout(timer);
      socket.off("readable", look).off("end", ended).off("close", ended);
      done();
    };
    const fail = (why: string) => settle(() => reject(new BadClaim(why)));
    const ended = () => fail("the connection ended before its claim_session");
    const look = () => {
      for (let chunk: unknown = socket.read(); chunk instanceof Buffer; chunk = socket.read()) {
        const end = chunk.indexOf(10);
        if (end >= 0) {
          chunks.push(chunk.subarray(0, end));
          settle(() => resolve(Buffer.concat(chunks).toString("utf8")));
          if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
          return;
        }
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_BYTES) return fail(`the claim_session is longer than ${MAX_BYTES} bytes`);
      }
    };
    const timer = setTimeout(() => fail(`no claim_session arrived within ${CLAIM_MS} ms`), CLAIM_MS);
    socket.on("readable", look).on("end", ended).on("close", ended);
    look();
  });
}

function parsed(line: string): ClaimLine {
  const message = parseJson(line);
  const requestId =
    isJsonObject(message) && typeof message.request_id === "string" ? message.request_id : undefined;
  if (!isJsonObject(message) || message.type !== "control_request" || requestId === undefined)
    throw new BadClaim("the first line of a connection must be a control_request claim_session");
  const read = readHostRequest(message.request);
  if (!read.ok) throw new BadClaim(read.reason, requestId);
  if (read.request.subtype !== "claim_session")
    throw new BadClaim("the first request of a connection must be claim_session", requestId);
  return { requestId, claim: read.request };
}
