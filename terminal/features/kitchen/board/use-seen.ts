import type { KitchenTicket } from "@comanda/protocol";
import { useEffect, type RefObject } from "react";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { isSeenByShowing } from "../tickets/ticket-facts.ts";
import { stationOf } from "../tickets/use-kitchen-acts.ts";

/** Milliseconds on the screen before a ticket counts as seen. */
const SEEN_AFTER_MS = 1_000;
/** Part of the ticket, or of the screen if the ticket is larger, that must be visible. */
const SHOWN_PART = 0.5;

/** Marks a ticket as seen by its station once it was visible on a screen that is on shift. */
export function useMarkSeen(element: RefObject<HTMLElement | null>, ticket: KitchenTicket, isOnShift: boolean): void {
  const terminal = useTerminal();
  const stationId = stationOf(ticket, terminal);
  const isNews = isOnShift && isSeenByShowing(ticket, stationId);
  useEffect(() => {
    const shown = element.current;
    if (!isNews || shown === null) return;
    let isShown = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (!isShown || document.visibilityState !== "visible") return;
      timer = setTimeout(() => terminal.kitchenSeen(ticket.id, stationId, ticket.lines), SEEN_AFTER_MS);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (last === undefined) return;
        const { intersectionRatio, intersectionRect, rootBounds } = last;
        const next =
          intersectionRatio >= SHOWN_PART || intersectionRect.height >= SHOWN_PART * (rootBounds?.height ?? Infinity);
        if (next === isShown) return;
        isShown = next;
        look();
      },
      { threshold: [0, 0.25, SHOWN_PART, 0.75, 1] },
    );
    observer.observe(shown);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("visibilitychange", look);
    };
  }, [element, terminal, ticket, stationId, isNews]);
}
