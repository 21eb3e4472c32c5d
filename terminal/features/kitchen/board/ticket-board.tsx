import type { KitchenTicket } from "@comanda/protocol";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useCallback, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useWidth } from "../../../lib/page/use-width.ts";
import type { DishSum } from "../tickets/all-day.ts";
import { BumpBarKeys, LineSheet } from "../sheets/lazy-sheets.ts";
import { courseAfter } from "../tickets/ticket-facts.ts";
import { currentBar, nowhere } from "./bar-place.ts";
import { TicketCard } from "./ticket-card.tsx";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";
import { useSlots } from "../tickets/use-slots.ts";

/** On a bump bar the key 0 comes after 9. */
const placeKeys = "1234567890";

/** The tickets in their slots: in columns, on a phone one at a time. */
export function TicketBoard({
  tickets,
  recent,
  isOnShift,
  isStationNamed,
  marked,
  acts,
}: {
  tickets: readonly KitchenTicket[];
  recent: readonly KitchenTicket[];
  isOnShift: boolean;
  isStationNamed: boolean;
  marked: DishSum | null;
  acts: KitchenActs;
}) {
  const { t } = useTranslation("kitchen");
  const isPhone = useWidth() === "phone";
  const slots = useSlots(tickets);
  const [parts, setParts] = useState<{ ticketId: string; lineId: string } | null>(null);
  const [turned, setTurned] = useState<{ ticketId: string | undefined; page: number }>({
    ticketId: undefined,
    page: 0,
  });
  const turnTo = (page: number) => setTurned({ ticketId: slots[page]?.item.id, page });
  const [place, setPlace] = useState(nowhere);
  const bar = currentBar(
    place,
    slots.map(({ item }) => item),
  );
  const openParts = useCallback(
    (ticket: KitchenTicket, lineId: string) => setParts({ ticketId: ticket.id, lineId }),
    [],
  );

  // The page follows its ticket. Once that is gone, shows the ticket in its place.
  const found = slots.findIndex(({ item }) => item.id === turned.ticketId);
  const shownPage = found === -1 ? Math.max(0, Math.min(turned.page, slots.length - 1)) : found;
  const shown = isPhone ? slots.slice(shownPage, shownPage + 1) : slots;
  const allTickets = [...tickets, ...recent];
  // Once none of the dish is left, its sum is gone and could no longer be unmarked.
  const dish = marked !== null && tickets.some(marked.isOn) ? marked : null;
  const partsTicket = tickets.find(({ id }) => id === parts?.ticketId);
  const partsLine = partsTicket?.lines.find(({ lineId }) => lineId === parts?.lineId);
  return (
    <>
      <section className="board" aria-label={t("tickets")}>
        {slots.length === 0 && <p className="kitchen-empty">{t("empty")}</p>}
        {shown.map(({ item, doneAt }, index) => (
          <TicketCard
            key={item.id}
            ticket={item}
            isDone={doneAt !== null}
            courseAfter={courseAfter(item, allTickets)}
            isOnShift={isOnShift}
            isStationNamed={isStationNamed}
            place={isPhone ? null : (placeKeys[index] ?? null)}
            isSelected={bar.ticketId === item.id}
            selectedLine={bar.ticketId === item.id ? bar.lineId : null}
            emphasis={dish === null ? null : dish.isOn(item) ? "marked" : "dimmed"}
            acts={acts}
            onParts={openParts}
          />
        ))}
      </section>
      {isPhone && slots.length > 0 && (
        <nav className="pager" aria-label={t("tickets")}>
          <ActButton
            isRepeatable
            aria-label={t("previous")}
            disabled={shownPage === 0}
            onAct={() => turnTo(shownPage - 1)}
          >
            <IconChevronLeft aria-hidden />
          </ActButton>
          <span>{t("page", { page: shownPage + 1, count: slots.length })}</span>
          <ActButton
            isRepeatable
            aria-label={t("next")}
            disabled={shownPage >= slots.length - 1}
            onAct={() => turnTo(shownPage + 1)}
          >
            <IconChevronRight aria-hidden />
          </ActButton>
        </nav>
      )}
      <BumpBarKeys
        bar={place}
        isShown={bar !== nowhere}
        onMove={setPlace}
        slots={slots}
        recent={recent}
        acts={acts}
        onPage={turnTo}
      />
      {partsTicket !== undefined && partsLine !== undefined && (
        <LineSheet ticket={partsTicket} line={partsLine} acts={acts} onClose={() => setParts(null)} />
      )}
    </>
  );
}
