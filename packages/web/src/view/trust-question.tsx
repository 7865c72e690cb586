import type { InspectFolderResponse } from "@agentwire/api";

/** Asks whether a folder is trusted, with everything that would come to count. */
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
        The files of <code>{folder}</code> ask for the following. If you trust it, this applies to all
        sessions there, even if the files change later. Otherwise the session starts without it.
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
          Start without it
        </button>
        <button type="button" disabled={isBusy} onClick={() => decide(true)}>
          Trust and start
        </button>
      </p>
    </section>
  );
}
