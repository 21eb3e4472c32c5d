import { useEffect, useRef, useState } from "react";
import { placeItems, type Placeable, type Slot } from "./place-items.ts";

/** So long after the last touch nobody is about to touch again. */
const QUIET_MS = 1_500;

/** How often it is looked whether what is finished may leave its place. */
const LOOK_MS = 1_000;

/** The places of the items on this screen, kept while fingers are on it; what shows them is drawn again when they change. */
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
      // Not the time of day: the clock may be set while something finished stays in its place.
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
