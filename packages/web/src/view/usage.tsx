import type { ViewProps } from "./shell.tsx";

export function UsagePage(_: ViewProps) {
  return (
    <div class="page">
      <h1>Usage</h1>
    </div>
  );
}
