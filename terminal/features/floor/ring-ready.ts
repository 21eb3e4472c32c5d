import { subtract, sum } from "@comanda/rules";
import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useRef } from "react";
import { readyDishes, useReadyTickets } from "../../checks/ready-dishes.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { vibrate } from "../../lib/device/platform.ts";
import { readyBell } from "../../lib/device/ready-bell.ts";
import { play, startSound } from "../../lib/page/sound.ts";

/** Vibrates and plays a quiet tone when dishes of the user's checks get ready: once for all that do at the same time. */
export function RingReady(): null {
  const terminal = useTerminal();
  const tickets = useReadyTickets();
  const me = useLive("actor")?.user.name ?? null;
  const isOn = useStore(readyBell);
  const previous = useRef<{ me: string | null; ready: ReadonlyMap<string, number> } | null>(null);
  useEffect(() => {
    if (!isOn) return;
    // Some browsers only play sound in response to a touch.
    const touched = () => void startSound();
    addEventListener("pointerdown", touched, { once: true });
    return () => removeEventListener("pointerdown", touched);
  }, [isOn]);
  useEffect(() => {
    if (terminal.asOf() === null) return;
    const dishes = readyDishes(tickets);
    const ready = quantities(dishes);
    const before = previous.current;
    previous.current = { me, ready };
    if (!isOn || before?.me !== me) return;
    const hasGrown = (key: string) => subtract(ready.get(key) ?? 0, before.ready.get(key) ?? 0) > 0;
    const isNews = dishes.some(
      (dish) =>
        hasGrown(dish.line) && hasGrown(placeOf(dish)) && terminal.order(dish.posReference)?.snapshot.staffName === me,
    );
    if (!isNews) return;
    vibrate(200);
    void startSound().then(() => play("ready"));
  }, [terminal, tickets, me, isOn]);
  return null;
}

type Dish = ReturnType<typeof readyDishes>[number];

/** Returns ready quantities by line, and by line and check: a dish that only moves to another check does not get ready. */
function quantities(dishes: readonly Dish[]): Map<string, number> {
  const ready = new Map<string, number>();
  for (const dish of dishes) {
    for (const key of [dish.line, placeOf(dish)]) ready.set(key, sum([ready.get(key) ?? 0, dish.quantity]));
  }
  return ready;
}

function placeOf({ line, posReference }: Dish): string {
  return `${line} ${posReference}`;
}
