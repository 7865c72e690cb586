import { hrefOf } from "../route.ts";
import { cost, count, tokens } from "../text/words.ts";
import type { Share } from "../usage/summary.ts";

interface BarsProps {
  readonly title: string;
  /** The heading of the first column. */
  readonly what: string;
  readonly shares: readonly Share[];
}

/** A bar chart of costs, or of tokens if nothing has a price. */
export function UsageBars({ title, what, shares }: BarsProps) {
  if (shares.length === 0) return null;
  const isPriced = shares.some(({ usage }) => (usage.costUsd ?? 0) > 0);
  const size = ({ usage }: Share) => (isPriced ? (usage.costUsd ?? 0) : tokens(usage));
  const most = Math.max(...shares.map(size), Number.MIN_VALUE);
  return (
    <section aria-label={title}>
      <h2 class="bars-title">{title}</h2>
      <div class="table-frame" tabIndex={0}>
        <table class="facts bars">
          <thead>
            <tr>
              <th scope="col">{what}</th>
              <th scope="col" class="number">
                Tokens
              </th>
              <th scope="col" class="number">
                Cost
              </th>
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
                <td class="number">{count(tokens(share.usage))}</td>
                <td class="number">{cost(share.usage) || "nothing"}</td>
                <td class="bar-cell">
                  {size(share) > 0 && (
                    <div class="bar" style={{ width: `max(2px, ${(100 * size(share)) / most}%)` }} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
