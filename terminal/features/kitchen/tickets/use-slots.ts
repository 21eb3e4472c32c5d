import { useEffect, useRef, useState } from "react";
import { placeItems, type Placeable, type Slot } from "./place-items.ts";

/** Milliseconds after a touch during which another is likely. */
const QUIET_MS = 1_500;

/** Interval for checking whether finished items may leave their place, in ms. */
const LOOK_MS = 1_000;

/** Returns the slots of the items on this screen. They keep still while the screen is touched. */
export function useSlots<T extends Placeable>(items: readonly T[]): readonly Slot<T>[] {
  const touchedAt = useRef(-QUIET_MS);
  const [slots, setSlots] = useState(() => placeItems<T>([], items, { now: 0, isQuiet: true }));
  useEffect(() => {
    const touched = () => (touchedAt.current = performance.now());
    addEventListener("pointerdown", touched, { capture: true });
    return () => removeEventListener("pointerdown", touched, { capture: true });
  }, []);
  useEffect(() => {
    const look = () => {
      // A monotonic clock: the time of day may be set while a finished item keeps its place.
      const now = performance.now();
      const isQuiet = now - touchedAt.current >= QUIET_MS;
      setSlots((present) => placeItems(present, items, { now, isQuiet }));
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [items]);
  return slots;
}
