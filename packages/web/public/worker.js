// The console's own page while no daemon answers. Nothing else passes through here: neither requests to the daemon nor what it says.
const CACHE = "agentwire-page";
const PAGE = "/";
const OURS = "<title>agentwire</title>";
/** A daemon that takes connections and answers none is not waited for. */
const PATIENCE_MS = 5000;

const assetsIn = (html) =>
  [...html.matchAll(/(?:src|href)="(\/(?:assets\/|icon)[^"]+)"/g)].map(([, path]) => path);

/** Keeps the page with everything that it names, and drops what only an older one named. */
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

/** What an address under /assets/ stands for never changes. */
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
