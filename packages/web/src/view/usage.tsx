import { useEffect, useState } from "preact/hooks";
import { hrefOf } from "../route.ts";
import { count } from "../text/words.ts";
import { LATEST, loadReports } from "../usage/load.ts";
import { type Share, summarize, type UsageSummary } from "../usage/summary.ts";
import type { ViewProps } from "./shell.tsx";

/** What was used: by day, by model, by session. */
export function UsagePage({ app }: ViewProps) {
  const [summary, setSummary] = useState<UsageSummary | undefined>(undefined);
  useEffect(
    () =>
      void app.attempt(() => loadReports(app.client)).then((found) => found && setSummary(summarize(found))),
    [],
  );
  return (
    <div class="page">
      <h1>Usage</h1>
      {!summary && <p class="why">Adding up…</p>}
      {summary && (
        <>
          <p class="why">
            The latest {LATEST} sessions: {count(summary.total.tokens)} tokens,{" "}
            {dollars(summary.total.costUsd)}
            {summary.unpriced > 0 && `, and ${summary.unpriced} sessions whose price nobody knows`}. A session
            counts on the day of its last turn.
          </p>
          <Bars title="By day" shares={summary.byDay} />
          <Bars title="By model" shares={summary.byModel} />
          <Bars title="By session" shares={summary.bySession} />
        </>
      )}
    </div>
  );
}

const dollars = (usd: number) => (usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`);

/** Costs beside each other; tokens where nothing has a price. */
function Bars({ title, shares }: { readonly title: string; readonly shares: readonly Share[] }) {
  if (shares.length === 0) return null;
  const isPriced = shares.some(({ costUsd }) => costUsd > 0);
  const size = ({ costUsd, tokens }: Share) => (isPriced ? costUsd : tokens);
  const most = Math.max(...shares.map(size), Number.MIN_VALUE);
  return (
    <section aria-label={title}>
      <h2 class="bars-title">{title}</h2>
      <div class="table-frame" tabIndex={0}>
        <table class="facts bars">
          <thead>
            <tr>
              <th scope="col">{title.replace("By ", "").replace(/^./, (letter) => letter.toUpperCase())}</th>
              <th scope="col">Tokens</th>
              <th scope="col">Cost</th>
              <th scope="col" class="bar-cell">
                <span class="hidden">Share</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shares.map((share, index) => (
              <tr key={index}>
                <th scope="row">
                  {share.sessionId === undefined ? (
                    share.name
                  ) : (
                    <a href={hrefOf({ view: "session", id: share.sessionId })}>{share.name}</a>
                  )}
                </th>
                <td>{count(share.tokens)}</td>
                <td>{dollars(share.costUsd)}</td>
                <td class="bar-cell">
                  <div class="bar" style={{ width: `${(100 * size(share)) / most}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
