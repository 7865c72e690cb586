const WIDTH = 900;
const PANEL = 150;
const [LEFT, RIGHT, TOP, GAP] = [70, 20, 30, 45];

/** Draws the samples of a run as SVG, one panel below the other. */
export function plot(samples, title) {
  const panels = [
    { name: "memory (MB)", color: "#1f6feb", of: ({ megabytes }) => megabytes },
    { name: "open files", color: "#8250df", of: ({ files }) => files },
    { name: "agents", color: "#bf8700", of: ({ agents }) => agents },
    { name: "clients", color: "#57606a", of: ({ clients }) => clients },
    { name: "events stored per second", color: "#1a7f37", of: perSecond(samples) },
  ];
  const height = TOP + panels.length * (PANEL + GAP);
  const last = samples.at(-1)?.seconds ?? 1;
  const x = (seconds) => LEFT + (seconds / last) * (WIDTH - LEFT - RIGHT);
  const drawn = panels.map((panel, index) => drawPanel(panel, samples, x, TOP + index * (PANEL + GAP) + 15));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="20" font-size="14" font-weight="bold">${title}</text>
${drawn.join("\n")}
</svg>
`;
}

function drawPanel({ name, color, of }, samples, x, top) {
  const values = samples.map(of);
  const most = ceiling(Math.max(1, ...values));
  const y = (value) => top + PANEL - (value / most) * PANEL;
  const points = samples
    .map(({ seconds }, i) => `${x(seconds).toFixed(1)},${y(values[i]).toFixed(1)}`)
    .join(" ");
  const minutes = (samples.at(-1)?.seconds ?? 0) / 60;
  const step = ceiling(Math.max(minutes / 10, 0.2));
  const marks = Array.from({ length: Math.floor(minutes / step) + 1 }, (_, i) => i * step);
  return [
    `<text x="${x(0)}" y="${top - 5}" fill="${color}">${name}</text>`,
    ...[0, most / 2, most].map(
      (value) =>
        `<path d="M${x(0)} ${y(value)}H${WIDTH - RIGHT}" stroke="#d0d7de"/><text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${Number(value.toPrecision(3))}</text>`,
    ),
    ...marks.map(
      (minute) =>
        `<text x="${x(minute * 60).toFixed(1)}" y="${top + PANEL + 15}" text-anchor="middle">${Number(minute.toFixed(1))} min</text>`,
    ),
    `<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${points}"/>`,
  ].join("\n");
}

/** The next round number. */
function ceiling(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * unit).find((round) => round >= value * 0.999) ?? value;
}

function perSecond(samples) {
  return (sample) => {
    const before = samples[samples.indexOf(sample) - 5];
    return before ? (sample.events - before.events) / (sample.seconds - before.seconds) : 0;
  };
}
