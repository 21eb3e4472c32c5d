/** Durations in ms. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const durationUnitMs = { seconds: 1000, minutes: MINUTE_MS, hours: HOUR_MS };
export type DurationUnit = keyof typeof durationUnitMs;
export const durationUnits: readonly DurationUnit[] = ["seconds", "minutes", "hours"];

/** Splits a duration as a person would type it: in the largest unit that divides it evenly, else in seconds. */
export function splitDuration(ms: number): { amount: number; unit: DurationUnit } {
  const unit = durationUnits.findLast((each) => ms > 0 && ms % durationUnitMs[each] === 0) ?? "seconds";
  return { amount: ms / durationUnitMs[unit], unit };
}

/** Returns a typed duration in ms. */
export function joinDuration(amount: number, unit: DurationUnit): number {
  return Math.round(amount * durationUnitMs[unit]);
}
