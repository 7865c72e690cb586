// Serves the console's page while no daemon answers, and shows notifications while no page is open. Requests from a page to the daemon don't pass
// through here.
const CACHE = "agentwire-page";
const PAGE = "/";
const OURS = "<title>agentwire</title>";
/** How long to wait for a daemon that accepts connections but does not answer. */
const PATIENCE_MS = 5000;

const assetsIn = (html) =>
  [...html.matchAll(/(?:src|href)="(\/(?:assets\/|icon)[^"]+)"/g)].map(([, path]) => path);

/** Caches the page with every asset it names, and drops assets that only an older page named. */
async function keep(response) {
  const html = await response.clone().text();
  // Another program may listen at this port by now.
  if (!response.ok || !html.includes(OURS)) return;
  const cache = await caches.open(CACHE);
  const known = await cache.match(PAGE);
  if (known && (await known.text()) === html) return;
  const paths = assetsIn(html);
  await cache.addAll(paths);
  await cache.put(PAGE, response);
  for (const { url } of await cache.keys())
    if (url.includes("/assets/") && !paths.includes(new URL(url).pathname)) await cache.delete(url);
}

async function page(event) {
  try {
    const response = await fetch(PAGE, { signal: AbortSignal.timeout(PATIENCE_MS) });
    event.waitUntil(keep(response.clone()).catch(() => {}));
    return response;
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

/** The content at an address under /assets/ never changes. */
async function asset(request) {
  const known = await caches.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(fetch(PAGE).then(keep));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(page(event));
  else if (pathname.startsWith("/assets/") || pathname === "/icon.svg") event.respondWith(asset(request));
});

/** The daemon's notice in a push message; undefined if the message is something else. */
function noticeIn(data) {
  try {
    const notice = data.json();
    return typeof notice.title === "string" ? notice : undefined;
  } catch {
    return undefined;
  }
}

const addressOf = (sessionId) => (sessionId ? `/#/session/${sessionId}` : "/");

async function windows() {
  return clients.matchAll({ type: "window", includeUncontrolled: true });
}

/** Shows a notification unless the session is in view on this device. */
async function tell({ kind, title, body, sessionId, questionId }) {
  const isSeen = ({ url, visibilityState }) =>
    visibilityState === "visible" && sessionId !== "" && url.endsWith(addressOf(sessionId));
  if ((await windows()).some(isSeen)) return;
  await registration.showNotification(title, {
    body,
    icon: "/icon-192.png",
    tag: sessionId || kind,
    renotify: true,
    requireInteraction: kind === "asks",
    data: { sessionId, questionId },
    actions: questionId
      ? [
          { action: "allow", title: "Allow once" },
          { action: "deny", title: "Deny" },
        ]
      : [],
  });
}

async function show(sessionId) {
  const [open] = await windows();
  if (!open) return clients.openWindow(addressOf(sessionId));
  // The page navigates there itself: reloading it would lose what has been typed.
  open.postMessage({ type: "show", sessionId });
  // Some systems don't let a window come to the front.
  await open.focus().catch(() => {});
}

/** This browser's half of the sign-in, stored for us by a page; undefined if none has stored it. */
function keptSignIn() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("agentwire", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("worker");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const reading = database.transaction("worker").objectStore("worker").get("sign-in");
      reading.onsuccess = () => resolve(reading.result);
      reading.onerror = () => reject(reading.error);
      reading.transaction.oncomplete = () => database.close();
    };
  });
}

/** Decides a question; resolves with the reason if that failed, otherwise with undefined. */
async function decide(questionId, action) {
  const { proof = "", client = "" } = (await keptSignIn()) ?? {};
  try {
    const response = await fetch("/agentwire.v1.QuestionService/Decide", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "connect-protocol-version": "1",
        "agentwire-sign-in": proof,
        "agentwire-client": client,
      },
      body: JSON.stringify({ questionId, ...(action === "allow" ? { allow: {} } : { deny: {} }) }),
    });
    const answer = await response.json();
    if (response.status === 401) return "This browser is no longer signed in.";
    if (!response.ok) return answer.message ?? "The daemon rejected the answer.";
    return answer.decidedNow ? undefined : "The question was already answered.";
  } catch {
    return "The daemon does not answer.";
  }
}

async function answer({ sessionId, questionId }, action) {
  const problem = await decide(questionId, action);
  if (problem === undefined) return;
  await registration.showNotification("Not answered", { body: problem, tag: sessionId, data: { sessionId } });
}

addEventListener("push", (event) => {
  const notice = event.data && noticeIn(event.data);
  if (notice) event.waitUntil(tell(notice));
});
addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  const { sessionId = "", questionId = "" } = notification.data ?? {};
  notification.close();
  event.waitUntil(questionId && action ? answer({ sessionId, questionId }, action) : show(sessionId));
});
