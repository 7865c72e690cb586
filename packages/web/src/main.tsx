import { render } from "preact";
import { App } from "./app.ts";
import { clientNamed } from "./client.ts";
import { Drafts } from "./drafts.ts";
import { keepPage } from "./offline.ts";
import { hasPush, showDensity } from "./preferences.ts";
import { onSignedIn, shareSignIn, signInHeaders, takeToken } from "./sign-in.ts";
import { titleOf } from "./state.ts";
import { loadAhead, Shell } from "./view/shell.tsx";

const token = takeToken(location, history);
const root = document.getElementById("app") ?? document.body;

let isDrawing = false;
/** Draws at most once per frame. */
function draw(): void {
  if (isDrawing) return;
  isDrawing = true;
  const now = () => {
    isDrawing = false;
    document.title = titleOf(app.state);
    render(<Shell app={app} state={app.state} />, root);
  };
  // Browsers run no animation frames for a hidden page.
  if (document.hidden) setTimeout(now);
  else requestAnimationFrame(now);
}

const BROWSER = "agentwire-browser";

/** The name of this browser, kept across reloads. */
function browserName(): string {
  const known = localStorage.getItem(BROWSER);
  if (known !== null) return known;
  const name = `web-${crypto.randomUUID().slice(0, 6)}`;
  localStorage.setItem(BROWSER, name);
  return name;
}

/** The client name of this tab: the browser's name, then the tab's own suffix. */
const name = `${browserName()}-${crypto.randomUUID().slice(0, 3)}`;
const app = new App(
  clientNamed(name, location.origin, signInHeaders),
  new Drafts(localStorage, Date.now()),
  location.hash,
  draw,
);
addEventListener("hashchange", () => {
  // Pasting a link into this tab does not reload the page: only the part after the # changes.
  const fresh = takeToken(location, history);
  app.navigate(location.hash);
  if (fresh !== undefined) void app.signIn(fresh, "link");
});
onSignedIn(() => void app.start(undefined));
document.addEventListener("visibilitychange", () => {
  // A frame requested while the page was visible does not run while it is hidden.
  isDrawing = false;
  draw();
  app.seen(!document.hidden);
});
// The service worker sends this when a notification is clicked.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data?.type === "show")
    app.go(data.sessionId ? { view: "session", id: data.sessionId } : { view: "home" });
});
showDensity();
draw();
// Only if the daemon answers: browsers do not retry a module that failed to load.
void app.start(token).then(() => {
  if (!app.state.isSignedIn) return;
  void loadAhead();
  // A new sign-in has a new proof, which the service worker needs as well.
  if (hasPush()) shareSignIn(`${browserName()}-push`).catch(() => {});
});
void keepPage();
