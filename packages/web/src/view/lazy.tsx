import { type ComponentType, h, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is loaded when it is first shown, or earlier. */
export interface Lazy<P> {
  (props: P): VNode;
  /** Loads the component ahead of time. */
  load(): Promise<unknown>;
}

/** Creates a component that is loaded when it is first shown; `waiting` is shown while it loads. */
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
      // The daemon may be reachable again on the next try.
      loading = undefined;
      throw error;
    }
  };
  function View(props: P) {
    const [, redraw] = useState<unknown>(undefined);
    const [isMissing, setMissing] = useState(false);
    useEffect(() => {
      // It may have been loaded since this was rendered.
      get().then(
        (found) => redraw(() => found),
        () => setMissing(true),
      );
    }, []);
    if (known) return h(known, props) as VNode;
    if (!isMissing) return waiting;
    return (
      <div class="banner warning" role="alert">
        <p>Part of this page could not be loaded. The daemon does not answer or has been updated.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
  View.load = get;
  return View;
}
