import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { atEnd } from "./stream-end.ts";

/** Tells a client that its deadline has passed, even if its request is still waiting. */
export const deadlines: Interceptor = (next) => async (request) => {
  const { signal } = request;
  const late = new Promise<never>((_, reject) => {
    const pass = () => {
      if (isDeadline(signal.reason)) reject(signal.reason);
    };
    if (signal.aborted) pass();
    else signal.addEventListener("abort", pass, { once: true });
  });
  // The client may have stopped waiting.
  late.catch(() => {});
  const response = await Promise.race([next(request), late]);
  return response.stream ? { ...response, message: inTime(response.message, signal) } : response;
};

/** Handlers end a stream silently when its signal fires. After a deadline the client is still connected and needs the error. */
const inTime = <T>(messages: AsyncIterable<T>, signal: AbortSignal) =>
  atEnd(messages, {
    done: () => {
      if (isDeadline(signal.reason)) throw signal.reason;
    },
  });

const isDeadline = (reason: unknown) =>
  reason instanceof ConnectError && reason.code === Code.DeadlineExceeded;
