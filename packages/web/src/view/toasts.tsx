import type { App } from "../app.ts";
import type { Toast } from "../state.ts";

/** Short messages at the edge of the page, with optional actions. */
export function Toasts({ app, toasts }: { readonly app: App; readonly toasts: readonly Toast[] }) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="small"
              onClick={() => {
                app.dismissToast(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="quiet small" aria-label="Dismiss" onClick={() => app.dismissToast(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
