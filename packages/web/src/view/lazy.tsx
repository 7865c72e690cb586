import { type ComponentType, h, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is loaded when it is first shown, or before. */
export interface Lazy<P> {
  (props: P): VNode;
  /** Loads it, so that it is there when it is shown. */
  load(): Promise<unknown>;
}

/** Loads a view when it is first shown; `waiting` stands in its place until then, mostly for less than a blink. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: VNode = <></>,
): Lazy<P> {
  let known: ComponentType<P> | undefined;
  let loading: Promise<ComponentType<P>> | undefined;
  const get = async () => {
    loading ??= load();
    try {
      known = await loading;
      return known;
    } catch (error) {
      // Another try may find the daemon again.
      loading = undefined;
      throw error;
    }
  };
  function View(props: P) {
    const [, redraw] = useState<unknown>(undefined);
    const [isMissing, setMissing] = useState(false);
    useEffect(() => {
      // It may have come since this was drawn.
      get().then(
        (found) => redraw(() => found),
        () => setMissing(true),
      );
    }, []);
    if (known) return h(known, props) as VNode;
    if (!isMissing) return waiting;
    return (
      <div class="banner warning" role="alert">
        <p>Part of this page can't be loaded: the daemon does not answer or was updated.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
  View.load = get;
  return View;
}
