/** SVG paths on a 16×16 grid, drawn with a uniform stroke; the icon set of the whole console. */
const SHAPES = {
  activity: "M1.5 8h3l2-5 3 10 2-5h3",
  back: "M10 3 5 8l5 5",
  branch:
    "M4.5 5v6M4.5 5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm0 9a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm7-8.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm0 0c0 3-3 3.5-7 4",
  chart: "M2 14h12M4 11.5V8m4 3.5v-8m4 8V6",
  check: "m3 8.5 3.5 3.5L13 4.5",
  close: "m4 4 8 8m0-8-8 8",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  file: "M3.5 1.5h5.500l3.5 3.5v9.500h-9Zm5.500 0V5h3.5",
  folder: "M1.5 4.5a1 1 0 0 1 1-1h3.200l1.5 1.700h6.300a1 1 0 0 1 1 1v6.300a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1Z",
  hook: "M11 2v7a3.5 3.5 0 0 1-7 0V7.5m0 0L2 9.5m2-2 2 2",
  phone: "M5 1.5h6a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1Zm2 11h2",
  plug: "M5.5 1.5V5m5-3.5V5M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0Zm4.5 7v2.5",
  plus: "M8 3v10M3 8h10",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2L14 14",
  shield: "M8 1.5 13.5 3.5V8c0 3.200-2.300 5.5-5.5 6.5C4.800 13.5 2.5 11.2 2.5 8V3.5Z",
  sliders:
    "M2 4.5h7m3 0h2M2 11.5h2m3 0h7M10.5 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm-5 7a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z",
  up: "M8 13V3m0 0L3.5 7.5M8 3l4.5 4.5",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof SHAPES;

/** An icon next to a text label, so it is hidden from screen readers. */
export function Icon({ of }: { readonly of: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={SHAPES[of]} />
    </svg>
  );
}
