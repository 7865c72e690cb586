import { Disposition } from "@agentwire/api";
import { decode, watch } from "../bench/daemon/watcher.mjs";
import { pause } from "./random.mjs";

/** How long a question is left to watching clients. */
const PATIENCE_MS = 2000;
const MOST_QUEUED = 4;
/** An overloaded machine delays clients. */
const OPEN_MS = 30_000;

/** Sends prompts to one session, some of them twice with one key, as a client does after a lost connection. */
export async function talk({ trial, random, book, counts, load }, sessionId, signal) {
  for (let turn = 0; !signal.aborted; turn++) {
    await pause(random.between(...load.pauseMs), signal);
    const { session } = await trial.sessions.getSession({ sessionId });
    if (session.queuedPrompts >= MOST_QUEUED || signal.aborted) continue;
    await prompt(
      { trial, book, counts },
      sessionId,
      load.words(random),
      `turn ${turn}`,
      random.chance(0.1) ? 2 : 1,
    );
  }
}

/** Sends a prompt repeatedly with one key. */
export async function prompt({ trial, book, counts }, sessionId, text, idempotencyKey, times = 1) {
  for (let i = 0; i < times; i++) {
    const { promptId, seq } = await trial.sessions.sendPrompt({ sessionId, text, idempotencyKey });
    book(sessionId).acknowledge(promptId, Number(seq));
  }
  counts.prompts++;
}

/** A client that opens a session, watches for a while, decides some of its questions, and moves on to another; some never read. */
export async function visit(soak, sessionIds, signal) {
  const { trial, random, book, counts } = soak;
  while (!signal.aborted) {
    const sessionId = random.pick(sessionIds);
    const { lastSeq } = (await trial.sessions.getSession({ sessionId })).session;
    const after = Math.max(0, Number(lastSeq) - random.between(0, 200));
    const hear = book(sessionId).stay(after);
    let isHere = true;
    const take = (bytes) => {
      if (!isHere) return;
      for (const event of decode(bytes).events) {
        hear(event);
        counts.received++;
        const { body } = event;
        if (body.case === "permissionAsked" && random.chance(0.5)) void decide(soak, body.value.question);
      }
    };
    const reads = !random.chance(0.1);
    let leave = () => {};
    await new Promise((resolve) => {
      leave = watch(trial.socketPath, sessionId, take, { afterSeq: BigInt(after), reads, onOpen: resolve });
      void pause(OPEN_MS, signal).then(resolve);
    });
    await pause(random.between(200, 8000), signal);
    isHere = false;
    leave();
    counts.visits++;
  }
}

/** Decides the questions that no other client has decided. */
export async function answer(soak, signal) {
  while (!signal.aborted) {
    const { questions } = await soak.trial.questions.listQuestions({ pageSize: 100 });
    const old = questions.filter(({ askedAt }) => Date.now() - Number(askedAt.seconds) * 1000 > PATIENCE_MS);
    await Promise.all(old.map((question) => decide(soak, question)));
    await pause(500, signal);
  }
}

async function decide({ trial, random, book, counts }, { id, sessionId }) {
  const [decision, disposition] = random.chance(0.7)
    ? [{ case: "allow", value: {} }, Disposition.ALLOWED]
    : [{ case: "deny", value: { message: "not now" } }, Disposition.DENIED];
  try {
    const { decidedNow } = await trial.questions.decide({ questionId: id, decision });
    if (decidedNow) book(sessionId).decide(id, disposition);
    counts.decisions += decidedNow ? 1 : 0;
  } catch {
    // Its agent is gone; that the question ended otherwise is checked later.
  }
}

/** Kills an agent from time to time. */
export async function killAround({ trial, random, counts, load }, signal) {
  while (!signal.aborted) {
    await pause(random.between(...load.killMs), signal);
    const victims = await load.victims(trial);
    if (victims.length === 0 || signal.aborted) continue;
    try {
      process.kill(random.pick(victims), "SIGKILL");
      counts.kills++;
    } catch {
      // It has already exited.
    }
  }
}
