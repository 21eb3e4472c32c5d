/** Lengths in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const durationUnitMs = { seconds: 1000, minutes: MINUTE_MS, hours: HOUR_MS };
export type DurationUnit = keyof typeof durationUnitMs;
export const durationUnits: readonly DurationUnit[] = ["seconds", "minutes", "hours"];

/** A duration as a person would type it: in the largest unit that it is a whole number of, else in seconds. */
export function splitDuration(ms: number): { amount: number; unit: DurationUnit } {
  const unit = durationUnits.findLast((each) => ms > 0 && ms % durationUnitMs[each] === 0) ?? "seconds";
  return { amount: ms / durationUnitMs[unit], unit };
}

/** A typed duration in ms. */
export function joinDuration(amount: number, unit: DurationUnit): number {
  return Math.round(amount * durationUnitMs[unit]);
}
