import type { Usage } from "@agentwire/api";
import type { Share } from "../usage/summary.ts";

interface PlotProps {
  readonly title: string;
  readonly shares: readonly Share[];
  readonly size: (usage: Usage) => number;
  readonly words: (usage: Usage) => string;
  /** Formats the value of the highest column. */
  readonly scale: (size: number) => string;
}

const WIDTH = 480;
const HEIGHT = 120;

/** A chart with one column per day. */
export function UsagePlot({ title, shares, size, words, scale }: PlotProps) {
  const most = Math.max(...shares.map(({ usage }) => size(usage)), 0);
  const step = WIDTH / shares.length;
  const gap = Math.min(4, step * 0.25);
  const busiest = shares.find(({ usage }) => most > 0 && size(usage) === most);
  const summary = busiest
    ? `${title}: peak ${words(busiest.usage)}, on ${busiest.name}`
    : `${title}: no usage in this period`;
  return (
    <figure class="panel plot">
      <figcaption>
        <strong>{title}</strong>
        <span>{most > 0 ? `peak ${scale(most)}` : ""}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
        {shares.map(({ name, usage }, index) => {
          const height = most > 0 ? (size(usage) / most) * HEIGHT : 0;
          return (
            <g key={name}>
              <title>{`${name}: ${words(usage) || "nothing"}`}</title>
              <rect class="column-ground" x={index * step} width={step} y={0} height={HEIGHT} />
              <rect
                class="column"
                x={index * step + gap / 2}
                width={step - gap}
                y={HEIGHT - Math.max(height, size(usage) > 0 ? 2 : 0)}
                height={Math.max(height, size(usage) > 0 ? 2 : 0)}
              />
            </g>
          );
        })}
      </svg>
      <p class="plot-ends">
        <span>{shares[0]?.name}</span>
        <span>{shares.at(-1)?.name}</span>
      </p>
    </figure>
  );
}
