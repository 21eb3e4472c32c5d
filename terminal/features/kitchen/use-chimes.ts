import type { KitchenTicket } from "@comanda/protocol";
import { useNow } from "@comanda/ui/use-now.ts";
import { useEffect, useRef } from "react";
import { vibrate } from "../../lib/platform.ts";
import { play } from "../../lib/sound.ts";
import { chimesAt, type Rung } from "./chimes.ts";

/** Rings for what is new, and once more for what nobody has looked at. */
export function useChimes(tickets: readonly KitchenTicket[], isOnShift: boolean): void {
  const now = useNow();
  const rung = useRef<Rung>(new Map());
  useEffect(() => {
    if (!isOnShift) return;
    const chimes = chimesAt(rung.current, tickets, now);
    rung.current = chimes.rung;
    for (const tone of chimes.tones) play(tone);
    if (chimes.tones.length > 0) vibrate(200);
  }, [tickets, now, isOnShift]);
}
