import type { InspectFolderResponse } from "@agentwire/api";

/** Asks whether to trust a folder; lists every setting that would take effect. */
export function TrustQuestion({
  found: { folder, withheld },
  isBusy,
  decide,
}: {
  readonly found: InspectFolderResponse;
  readonly isBusy: boolean;
  readonly decide: (trust: boolean) => void;
}) {
  return (
    <section class="page form" aria-label="Trust">
      <h1>Do you trust this folder?</h1>
      <p>
        Files in <code>{folder}</code> request the following. If you trust the folder, they apply to all
        sessions there, even if the files change later. Otherwise the session starts without them.
      </p>
      <ul>
        {withheld.map(({ path, what }, index) => (
          <li key={index}>
            <code>{path}</code>: <code>{what}</code>
          </li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => decide(false)}>
          Start without them
        </button>
        <button type="button" disabled={isBusy} onClick={() => decide(true)}>
          Trust and start
        </button>
      </p>
    </section>
  );
}
