import type { KitchenTicket } from "@comanda/protocol";
import { useNow } from "@comanda/ui/use-now.ts";
import { useEffect, useRef } from "react";
import { vibrate } from "../../../lib/device/platform.ts";
import { play } from "../../../lib/page/sound.ts";
import { chimesAt, type Rung } from "./chimes.ts";

/** Rings for new tickets among the `shown` ones, and once more for unseen ones. */
export function RingTickets({
  open,
  shown,
  isOnShift,
}: {
  open: readonly KitchenTicket[];
  shown: readonly KitchenTicket[];
  isOnShift: boolean;
}): null {
  const tick = useNow();
  const rung = useRef<Rung>(new Map());
  useEffect(() => {
    if (!isOnShift) return;
    const chimes = chimesAt(rung.current, open, performance.now(), (ticket) => shown.includes(ticket));
    rung.current = chimes.rung;
    for (const tone of chimes.tones) play(tone);
    if (chimes.tones.length > 0) vibrate(200);
  }, [open, shown, tick, isOnShift]);
  return null;
}
