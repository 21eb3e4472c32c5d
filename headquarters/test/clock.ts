const START = Date.parse("2026-11-21T00:30:00Z");

/** Creates a clock that tests advance. */
export function createClock(start = START) {
  let at = start;
  return { now: () => at, advance: (ms: number) => void (at += ms) };
}
