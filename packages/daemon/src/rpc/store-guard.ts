import { QuestionService, RuleService, SessionService, TokenService, UsageService } from "@agentwire/api";
import type { Interceptor } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";

/** How long a call waits for a store that accepts no writes. */
const PATIENCE_MS = 3000;
const LOOK_MS = 250;

const { createSession, renameSession, deleteSession, restoreSession, forkSession, sendPrompt, cancelPrompt } =
  SessionService.method;
const { movePrompt, setModel, setMode, takeInput, releaseInput, requestInput, handOverInput } =
  SessionService.method;
const { decide, answer } = QuestionService.method;

/** Methods that are rejected immediately while the store accepts no writes. */
const REFUSED: ReadonlySet<unknown> = new Set([
  ...[createSession, renameSession, deleteSession, restoreSession, forkSession, sendPrompt, cancelPrompt],
  ...[
    movePrompt,
    setModel,
    setMode,
    decide,
    answer,
    RuleService.method.setRule,
    UsageService.method.setBudget,
  ],
]);

/** Methods that are rejected after a while if the store accepts no writes, including those that are attempted nevertheless. */
const LIMITED: ReadonlySet<unknown> = new Set([
  ...REFUSED,
  ...[takeInput, releaseInput, requestInput, handOverInput, RuleService.method.removeRule],
  ...[TokenService.method.createToken, TokenService.method.revokeToken],
]);

/** Rejects calls that wait for a store that accepts no writes, with the reason. */
export function storeGuard(daemon: Daemon): Interceptor {
  return (next) => async (request) => {
    if (!LIMITED.has(request.method)) return next(request);
    if (REFUSED.has(request.method)) daemon.mustBeStorable();
    return unlessStoreFails(daemon, async () => next(request));
  };
}

/** Runs an action, and rejects with `STORE_UNAVAILABLE` if the store accepts no writes for too long in the meantime. */
export async function unlessStoreFails<T>({ health }: Daemon, act: () => Promise<T>): Promise<T> {
  let failingMs = 0;
  let looking: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    looking = setInterval(() => {
      const { store } = health;
      failingMs = store ? failingMs + LOOK_MS : 0;
      if (!store || failingMs < PATIENCE_MS) return;
      const text = `${store.message}; the change may still be stored when the store recovers, so check before you try again`;
      reject(new DaemonError("STORE_UNAVAILABLE", text, { cause: store }));
    }, LOOK_MS);
  });
  try {
    return await Promise.race([act(), failed]);
  } finally {
    clearInterval(looking);
  }
}
