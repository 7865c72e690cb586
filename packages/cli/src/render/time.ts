/** A duration in readable form: `0.4 s`, `12 s`, `3 min`, `2 h`, `5 d`. */
export function printSpan(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** How long ago something happened. */
export function printAge(thenMs: number, nowMs: number): string {
  const age = nowMs - thenMs;
  return age < 5000 ? "now" : `${printSpan(Math.round(age / 1000) * 1000)} ago`;
}
