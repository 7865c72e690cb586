import { QuestionService, RuleService, SessionService, TokenService, UsageService } from "@agentwire/api";
import type { Interceptor } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";

/** How long a call waits for a store that takes nothing. */
const PATIENCE_MS = 3000;
const LOOK_MS = 250;

const { createSession, renameSession, deleteSession, restoreSession, forkSession, sendPrompt, cancelPrompt } =
  SessionService.method;
const { movePrompt, setModel, setMode, takeInput, releaseInput, requestInput, handOverInput } =
  SessionService.method;
const { decide, answer } = QuestionService.method;

/** What is not even begun while the store takes nothing. */
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

/** What has an end though the store takes nothing: also what is worth a try then. */
const LIMITED: ReadonlySet<unknown> = new Set([
  ...REFUSED,
  ...[takeInput, releaseInput, requestInput, handOverInput, RuleService.method.removeRule],
  ...[TokenService.method.createToken, TokenService.method.revokeToken],
]);

/** Ends calls that wait for a store that takes nothing, with what is wrong with it. */
export function storeGuard(daemon: Daemon): Interceptor {
  return (next) => async (request) => {
    if (!LIMITED.has(request.method)) return next(request);
    if (REFUSED.has(request.method)) daemon.mustBeStorable();
    return unlessStoreFails(daemon, async () => next(request));
  };
}

/** Does something, and rejects with `STORE_UNAVAILABLE` when the store has taken nothing for too long meanwhile. */
export async function unlessStoreFails<T>({ health }: Daemon, act: () => Promise<T>): Promise<T> {
  let ill = 0;
  let looking: NodeJS.Timeout | undefined;
  const given = new Promise<never>((_, reject) => {
    looking = setInterval(() => {
      const { store } = health;
      ill = store ? ill + LOOK_MS : 0;
      if (!store || ill < PATIENCE_MS) return;
      const text = `${store.message}; it may still be stored when the store recovers, so check before you try again`;
      reject(new DaemonError("STORE_UNAVAILABLE", text, { cause: store }));
    }, LOOK_MS);
  });
  try {
    return await Promise.race([act(), given]);
  } finally {
    clearInterval(looking);
  }
}
