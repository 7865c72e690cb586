import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { atEnd } from "./stream-end.ts";

/** Tells a client whose deadline has passed just that, whatever its request was waiting for. */
export const deadlines: Interceptor = (next) => async (request) => {
  const { signal } = request;
  const late = new Promise<never>((_, reject) => {
    const pass = () => {
      if (isDeadline(signal.reason)) reject(signal.reason);
    };
    if (signal.aborted) pass();
    else signal.addEventListener("abort", pass, { once: true });
  });
  // Nobody may be waiting for it any more.
  late.catch(() => {});
  const response = await Promise.race([next(request), late]);
  return response.stream ? { ...response, message: inTime(response.message, signal) } : response;
};

/** A stream ends by itself when its client is gone; here the client is there, and has to be told. */
const inTime = <T>(messages: AsyncIterable<T>, signal: AbortSignal) =>
  atEnd(messages, {
    done: () => {
      if (isDeadline(signal.reason)) throw signal.reason;
    },
  });

const isDeadline = (reason: unknown) =>
  reason instanceof ConnectError && reason.code === Code.DeadlineExceeded;
