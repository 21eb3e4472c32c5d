/** An item with a place on the screen, such as a ticket or the dishes of a check; placed by age. */
export interface Placeable {
  id: string;
  /** ISO 8601. */
  sentAt: string;
  /** Placed before all items without priority. */
  priority?: true | undefined;
}

/** The place of an item on the screen. */
export interface Slot<T> {
  item: T;
  /** When it was finished while shown here, in ms; null if it is not finished. */
  doneAt: number | null;
}

/** How long a finished item keeps its place, so that it can be taken back, in ms. */
export const DONE_MS = 5_000;

/**
 * Returns the next slots, or the same `slots` if nothing changed. Nothing moves under a finger: the newest items are appended
 * at once, but gaps are closed and older items inserted only while nobody touches the screen.
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
    if (item !== undefined) return item === slot.item && slot.doneAt === null ? [slot] : [{ item, doneAt: null }];
    if (slot.doneAt === null) return [{ ...slot, doneAt: now }];
    return isQuiet && now - slot.doneAt >= DONE_MS ? [] : [slot];
  });
  for (const item of [...work.values()].toSorted(compareAge)) {
    const before = placed.findIndex((slot) => compareAge(item, slot.item) < 0);
    if (before === -1) placed.push({ item, doneAt: null });
    else if (isQuiet) placed.splice(before, 0, { item, doneAt: null });
  }
  // Items given priority move to the front, and back when they lose it.
  if (isQuiet) placed.sort((one, other) => compareAge(one.item, other.item));
  const isSame = placed.length === slots.length && placed.every((slot, index) => slot === slots[index]);
  return isSame ? slots : placed;
}

function compareAge(one: Placeable, other: Placeable): number {
  const byPriority = Number(other.priority === true) - Number(one.priority === true);
  return byPriority || compare(one.sentAt, other.sentAt) || compare(one.id, other.id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
