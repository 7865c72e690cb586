import { PushService } from "@agentwire/api";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { chooseDensity, type Density, density } from "../preferences.ts";
import { type PushState, pushState, turnPushOff, turnPushOn, type Wishes, wish } from "../push.ts";
import { FieldProblem } from "./field-problem.tsx";

/** The settings of this device. */
export function DevicePage({ app }: { readonly app: App }) {
  return (
    <div class="page">
      <h1>This device</h1>
      <Notifications app={app} />
      <DensityChoice />
      <section aria-label="Install">
        <h2>Install as an app</h2>
        <p class="why">
          Install the console from the browser's menu (Install, or Add to Home Screen) to give it its own
          window and icon. It then opens even while the daemon is down.
        </p>
      </section>
    </div>
  );
}

const KINDS: readonly (readonly [keyof Wishes, string])[] = [
  ["asks", "An agent asks a question"],
  ["failed", "A turn or a session fails"],
  ["done", "A turn finishes"],
];

function Notifications({ app }: { readonly app: App }) {
  const [state, setState] = useState<PushState>();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const act = async (work: () => Promise<PushState | undefined>) => {
    setBusy(true);
    setProblem("");
    setSent(false);
    try {
      const next = await work();
      if (next) setState(next);
    } catch (error) {
      setProblem(error instanceof Error && error.name === "Error" ? error.message : textOfError(error));
    }
    setBusy(false);
  };
  useEffect(() => void act(() => pushState(app.client)), []);
  return (
    <section aria-label="Notifications">
      <h2>Notifications</h2>
      <p class="why">
        Notifications arrive even when no page is open. They go through this browser's push service, which
        can't read them. You can answer questions right in the notification.
      </p>
      {state === undefined && problem === "" && <p class="why">Loading…</p>}
      {state?.type === "impossible" && <p class="banner">{state.reason}</p>}
      {state?.type === "off" && (
        <p class="actions">
          <button
            type="button"
            class="primary"
            disabled={isBusy}
            onClick={() => void act(() => turnPushOn(app.client, pushName()))}
          >
            Turn on
          </button>
        </p>
      )}
      {state?.type === "on" && (
        <>
          <fieldset class="choice-list">
            <legend class="hidden">Notify me when</legend>
            {KINDS.map(([kind, label]) => (
              <label key={kind} class="check">
                <input
                  type="checkbox"
                  checked={state.wishes[kind]}
                  disabled={isBusy}
                  onChange={({ currentTarget: { checked } }) =>
                    void act(async () => {
                      const wishes = { ...state.wishes, [kind]: checked };
                      await wish(app.client, wishes);
                      return { ...state, wishes };
                    })
                  }
                />
                {label}
              </label>
            ))}
          </fieldset>
          <p class="actions">
            <button
              type="button"
              disabled={isBusy}
              onClick={() =>
                void act(async () => {
                  await app.client.connect(PushService).testPush({ endpoint: state.endpoint });
                  setSent(true);
                  return undefined;
                })
              }
            >
              Send a test
            </button>
            <button
              type="button"
              class="quiet"
              disabled={isBusy}
              onClick={() => void act(() => turnPushOff(app.client))}
            >
              Turn off
            </button>
          </p>
          <p role="status">{isSent && "The push service accepted the test."}</p>
        </>
      )}
      <FieldProblem id="push-problem" text={problem} />
    </section>
  );
}

/** The client name for answers from notifications, as shown in the audit log and to other clients. */
const pushName = () => `${localStorage.getItem("agentwire-browser") ?? "web"}-push`;

const DENSITIES: readonly (readonly [Density, string])[] = [
  ["comfortable", "Comfortable"],
  ["compact", "Compact: fit more on the screen"],
];

function DensityChoice() {
  const [chosen, setChosen] = useState(density);
  return (
    <section aria-label="Density">
      <h2>Density</h2>
      <fieldset class="choice-list">
        <legend class="hidden">Density</legend>
        {DENSITIES.map(([value, label]) => (
          <label key={value} class="check">
            <input
              type="radio"
              name="density"
              checked={chosen === value}
              onChange={() => {
                chooseDensity(value);
                setChosen(value);
              }}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </section>
  );
}
