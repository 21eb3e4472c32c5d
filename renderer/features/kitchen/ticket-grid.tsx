import type { OperatorTicket } from "@comanda/protocol";
import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useVisibleRows } from "../../components/tables/use-visible-rows.ts";
import { useFound } from "../../lib/found.ts";
import { useNow } from "../../lib/hub-time.ts";
import { watchSize } from "../../lib/watch-size.ts";
import { TicketCard } from "./ticket-card.tsx";
import { ticketTone } from "./ticket-tone.ts";

const CARD_WIDTH = 270;
const GAP = 12;
const CARD_HEIGHT = 230;
/** Up to this number of rows of cards, all are rendered. */
const WHOLE_UP_TO = 5;

/** Tickets side by side, as many as fit the width. Of a long list, only the visible ones are rendered. */
export function TicketGrid({ tickets }: { tickets: readonly OperatorTicket[] }) {
  const now = useNow();
  const list = useRef<HTMLDivElement>(null);
  const across = useColumnCount(list);
  const rows = rowsOf(tickets, across);
  const found = useFound("ticket");
  const visible = useVisibleRows({
    list,
    keys: rows.map(([first], index) => first?.ticketId ?? index),
    rowHeight: CARD_HEIGHT,
    wholeUpTo: WHOLE_UP_TO,
    foundIndex: rows.findIndex((row) => row.some(({ ticketId }) => ticketId === found?.id)),
    found,
  });
  return (
    <div ref={list} style={{ paddingTop: visible.before, paddingBottom: visible.after }}>
      {visible.indexes.map((index) => (
        <div
          key={index}
          ref={visible.measure}
          data-index={index}
          className="tickets"
          style={{ gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))` }}
        >
          {rows[index]?.map((ticket) => (
            <TicketCard
              key={ticket.ticketId}
              ticket={ticket}
              tone={ticketTone(ticket, now)}
              isFound={ticket.ticketId === found?.id}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Returns how many cards fit side by side. */
function useColumnCount(list: RefObject<HTMLElement | null>): number {
  const [count, setCount] = useState(1);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    return watchSize([element], () =>
      setCount(Math.max(1, Math.floor((element.clientWidth + GAP) / (CARD_WIDTH + GAP)))),
    );
  }, [list]);
  return count;
}

function rowsOf<T>(items: readonly T[], across: number): T[][] {
  const count = Math.ceil(items.length / across);
  return Array.from({ length: count }, (_, row) => items.slice(row * across, (row + 1) * across));
}
