import { subtract, sum } from "@comanda/rules";
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
  const known = useRef<{ me: string | null; ready: ReadonlyMap<string, number> } | null>(null);
  useEffect(() => {
    if (!isOn) return;
    // Some browsers let a page be heard only in answer to a touch.
    const touched = () => void startSound();
    addEventListener("pointerdown", touched, { once: true });
    return () => removeEventListener("pointerdown", touched);
  }, [isOn]);
  useEffect(() => {
    if (terminal.asOf() === null) return;
    const dishes = readyDishes(tickets);
    const ready = quantities(dishes);
    const before = known.current;
    known.current = { me, ready };
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

/** How much is ready of each line, and of it for each check: what only moves to another check gets ready for neither. */
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
