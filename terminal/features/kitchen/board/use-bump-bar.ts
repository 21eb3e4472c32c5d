import type { KitchenTicket } from "@comanda/protocol";
import { useEffect, useEffectEvent, useState } from "react";
import { bumpAt, commandOf, lineBeside, type BumpBarCommand } from "./bump-bar.ts";
import type { Slot } from "../tickets/place-items.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";

/** Where the bump bar stands. */
interface BumpBar {
  ticketId: string | null;
  /** A line of it; null: the whole ticket. */
  lineId: string | null;
}

const nowhere: BumpBar = { ticketId: null, lineId: null };

/** Works the tickets with the keys of a bump bar. */
export function useBumpBar({
  slots,
  recent,
  acts,
  onPage,
}: {
  slots: readonly Slot<KitchenTicket>[];
  recent: readonly KitchenTicket[];
  acts: KitchenActs;
  /** The ticket at this place is wanted. */
  onPage: (place: number) => void;
}): BumpBar {
  const [bar, setBar] = useState(nowhere);
  const run = (command: BumpBarCommand): void => {
    const place = slots.findIndex(({ item }) => item.id === bar.ticketId);
    const slot = slots[place];
    const goTo = (wanted: number) => {
      const next = slots[wanted];
      if (next === undefined) return;
      setBar({ ticketId: next.item.id, lineId: null });
      onPage(wanted);
    };
    const moveTo = (step: -1 | 1) => setBar({ ...bar, lineId: lineBeside(slot?.item.lines ?? [], bar.lineId, step) });
    switch (command.name) {
      case "select":
        return goTo(command.place);
      case "previous":
        return goTo(place === -1 ? 0 : place - 1);
      case "next":
        return goTo(place + 1);
      case "lineUp":
        return moveTo(-1);
      case "lineDown":
        return moveTo(1);
      case "bump":
        if (slot === undefined || slot.goneAt !== null) return;
        return bumpAt(slot.item, bar.lineId, acts);
      case "seen":
        if (slot !== undefined && slot.goneAt === null) acts.seen(slot.item);
        return;
      case "recall":
        if (recent[0] !== undefined) acts.takeBack(recent[0]);
        return;
      case "clear":
        return setBar(nowhere);
    }
  };
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const command = commandOf(event);
    if (command === null) return;
    // Without a ticket, Enter and the space bar are for the button that has the focus.
    if ((command.name === "bump" || command.name === "seen") && bar.ticketId === null) return;
    event.preventDefault();
    if (!event.repeat) run(command);
  });
  useEffect(() => {
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return bar;
}
