import type { KitchenTicket } from "@comanda/protocol";
import { useEffect, useEffectEvent } from "react";
import { nowhere, type BumpBar } from "./bar-place.ts";
import { bumpAt, commandOf, lineBeside, type BumpBarCommand } from "./bump-bar.ts";
import type { Slot } from "../tickets/place-items.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";

/** Handles the keys of a bump bar on the tickets. */
export function BumpBarKeys({
  bar,
  isShown,
  onMove,
  slots,
  recent,
  acts,
  onPage,
}: {
  bar: BumpBar;
  /** Whether the selection is visible on the screen. */
  isShown: boolean;
  onMove: (bar: BumpBar) => void;
  slots: readonly Slot<KitchenTicket>[];
  recent: readonly KitchenTicket[];
  acts: KitchenActs;
  /** Called with the slot of the ticket to show. */
  onPage: (place: number) => void;
}): null {
  const run = (command: BumpBarCommand): void => {
    const place = slots.findIndex(({ item }) => item.id === bar.ticketId);
    const slot = slots[place];
    const goTo = (index: number) => {
      const next = slots[index];
      if (next === undefined) return;
      onMove({ ticketId: next.item.id, lineId: null });
      onPage(index);
    };
    const moveTo = (step: -1 | 1) => onMove({ ...bar, lineId: lineBeside(slot?.item.lines ?? [], bar.lineId, step) });
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
      case "seen":
        // Acts only on what is visibly selected.
        if (slot === undefined || slot.doneAt !== null || !isShown) return;
        return command.name === "seen" ? acts.seen(slot.item) : bumpAt(slot.item, bar.lineId, acts);
      case "recall":
        if (recent[0] !== undefined) acts.takeBack(recent[0]);
        return;
      case "clear":
        return onMove(nowhere);
    }
  };
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const command = commandOf(event);
    if (command === null) return;
    // While nothing is selected, Enter and Space belong to the focused button.
    if ((command.name === "bump" || command.name === "seen") && bar.ticketId === null) return;
    event.preventDefault();
    if (!event.repeat) run(command);
  });
  useEffect(() => {
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return null;
}
