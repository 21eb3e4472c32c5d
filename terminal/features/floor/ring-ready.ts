import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useRef } from "react";
import { readyDishes, useReadyTickets } from "../../checks/ready-dishes.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { vibrate } from "../../lib/device/platform.ts";
import { readyBell } from "../../lib/device/ready-bell.ts";
import { play, startSound } from "../../lib/page/sound.ts";

/** A tap in the hand and a quiet tone for what gets ready of one's own checks: once, and once for all that do so at a time. */
export function RingReady(): null {
  const terminal = useTerminal();
  const tickets = useReadyTickets();
  const me = useLive("actor")?.user.name ?? null;
  const isOn = useStore(readyBell);
  const known = useRef<{ me: string | null; dishes: ReadonlySet<string> } | null>(null);
  useEffect(() => {
    if (!isOn) return;
    // Some browsers let a page be heard only in answer to a touch.
    const touched = () => void startSound();
    addEventListener("pointerdown", touched, { once: true });
    return () => removeEventListener("pointerdown", touched);
  }, [isOn]);
  useEffect(() => {
    if (terminal.asOf() === null) return;
    const own = readyDishes(tickets).filter(
      ({ address }) => terminal.order(address.posReference)?.snapshot.staffName === me,
    );
    const dishes = new Set(own.map(({ id }) => id));
    const before = known.current;
    known.current = { me, dishes };
    if (!isOn || before?.me !== me || [...dishes].every((id) => before.dishes.has(id))) return;
    vibrate(200);
    void startSound().then(() => play("ready"));
  }, [terminal, tickets, me, isOn]);
  return null;
}
