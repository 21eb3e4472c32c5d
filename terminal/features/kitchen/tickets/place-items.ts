/** What has a place on a screen, the oldest first: a ticket, the dishes of a table. */
export interface Placeable {
  id: string;
  /** ISO 8601. */
  sentAt: string;
  /** It stands before all others. */
  priority?: true | undefined;
}

/** The place of something on the screen. */
export interface Slot<T> {
  item: T;
  /** When it was finished while it stood here, in ms; null while it is work. */
  goneAt: number | null;
}

/** How long what is finished stays in its place, to be taken back. */
export const GONE_MS = 5_000;

/**
 * The places at the next look. Nothing moves under a finger: what is newer than all goes to the end at once, but a gap is
 * closed, and something older put in between, only while nobody touches the screen. Answers `slots` when nothing changes.
 */
export function placeItems<T extends Placeable>(
  slots: readonly Slot<T>[],
  items: readonly T[],
  { now, isQuiet }: { now: number; isQuiet: boolean },
): readonly Slot<T>[] {
  const work = new Map(items.map((item) => [item.id, item]));
  const placed = slots.flatMap((slot): Slot<T>[] => {
    const item = work.get(slot.item.id);
    work.delete(slot.item.id);
    if (item !== undefined) return item === slot.item && slot.goneAt === null ? [slot] : [{ item, goneAt: null }];
    if (slot.goneAt === null) return [{ ...slot, goneAt: now }];
    return isQuiet && now - slot.goneAt >= GONE_MS ? [] : [slot];
  });
  for (const item of [...work.values()].toSorted(byAge)) {
    const before = placed.findIndex((slot) => byAge(item, slot.item) < 0);
    if (before === -1) placed.push({ item, goneAt: null });
    else if (isQuiet) placed.splice(before, 0, { item, goneAt: null });
  }
  // What was given priority goes to the front, and back to its place when that is taken away.
  if (isQuiet) placed.sort((one, other) => byAge(one.item, other.item));
  const isSame = placed.length === slots.length && placed.every((slot, index) => slot === slots[index]);
  return isSame ? slots : placed;
}

function byAge(one: Placeable, other: Placeable): number {
  const byPriority = Number(other.priority === true) - Number(one.priority === true);
  return byPriority || compare(one.sentAt, other.sentAt) || compare(one.id, other.id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
