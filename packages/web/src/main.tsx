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
/** Everything that happens before the next frame is drawn at once. */
function draw(): void {
  if (isDrawing) return;
  isDrawing = true;
  const now = () => {
    isDrawing = false;
    document.title = titleOf(app.state);
    render(<Shell app={app} state={app.state} />, root);
  };
  // The browser draws no frames of a hidden page.
  if (document.hidden) setTimeout(now);
  else requestAnimationFrame(now);
}

const BROWSER = "agentwire-browser";

/** What this browser calls itself, always the same. */
function browserName(): string {
  const known = localStorage.getItem(BROWSER);
  if (known !== null) return known;
  const name = `web-${crypto.randomUUID().slice(0, 6)}`;
  localStorage.setItem(BROWSER, name);
  return name;
}

/** What others see of this tab: its browser, and itself. */
const name = `${browserName()}-${crypto.randomUUID().slice(0, 3)}`;
const app = new App(
  clientNamed(name, location.origin, signInHeaders),
  new Drafts(localStorage, Date.now()),
  location.hash,
  draw,
);
addEventListener("hashchange", () => {
  // A link that is pasted into this tab loads no new page: only what follows the # changes.
  const fresh = takeToken(location, history);
  app.navigate(location.hash);
  if (fresh !== undefined) void app.signIn(fresh, "link");
});
onSignedIn(() => void app.start(undefined));
document.addEventListener("visibilitychange", () => {
  // A frame that was asked for while the page was seen never comes while it is hidden.
  isDrawing = false;
  draw();
  app.seen(!document.hidden);
});
// A notification was clicked.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data?.type === "show")
    app.go(data.sessionId ? { view: "session", id: data.sessionId } : { view: "home" });
});
showDensity();
draw();
// Not while no daemon answers: browsers do not try a module again that they could not load.
void app.start(token).then(() => {
  if (!app.state.isSignedIn) return;
  void loadAhead();
  // A new sign-in has another half.
  if (hasPush()) shareSignIn(`${browserName()}-push`).catch(() => {});
});
void keepPage();
