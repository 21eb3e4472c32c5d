import type { KitchenTicket, TicketLine } from "@comanda/protocol";
import { activeQuantity, placesOf, remainingQuantity } from "@comanda/rules";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { DishWishes } from "../tickets/dish-wishes.tsx";
import { useDestination } from "../tickets/ticket-title.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";

/** A dish: one tap marks all of it as ready, a tap on its quantity asks how much. */
export function TicketLineRow({
  ticket,
  line,
  isSelected,
  acts,
  onParts,
}: {
  ticket: KitchenTicket;
  line: TicketLine;
  isSelected: boolean;
  acts: KitchenActs;
  onParts: (ticket: KitchenTicket, lineId: string) => void;
}) {
  const { t, format } = useTranslation("kitchen");
  const destinationOf = useDestination();
  const { name, state, cancelledQuantity, preparedQuantity, seat, course, soldOut } = line;
  const places = joinWithDots(seat != null && t("seat", { seat }), course != null && t("course", { course }));
  const wishes = (
    <>
      <DishWishes line={line} />
      {places !== "" && <span className="kline-more">{places}</span>}
    </>
  );
  const mark = (tone: string, text: string, icon?: ReactNode) => (
    <span className="kline-state" data-tone={tone}>
      {icon} {text}
    </span>
  );
  if (state === "cancelled") {
    return (
      <li className="kline" data-state="cancelled" data-selected={isSelected || undefined}>
        <span className="kline-quantity">{format.quantity(line.quantity)}</span>
        <span className="kline-dish kzone">
          <s className="kline-name">{name}</s>
          {wishes}
          {mark("bad", t("cancelled"))}
        </span>
      </li>
    );
  }
  const active = format.quantity(activeQuantity(line));
  const isReady = remainingQuantity(line) === 0;
  const moved = placesOf(ticket, line).filter(({ isMoved }) => isMoved);
  return (
    <li className="kline" data-state={state} data-selected={isSelected || undefined}>
      <ActButton
        className="kline-quantity"
        aria-label={t("partsOf", { quantity: active, name })}
        onAct={() => onParts(ticket, line.lineId)}
      >
        {active}
      </ActButton>
      <ActButton className="kline-dish kzone" onAct={() => acts.bump(ticket, line, isReady ? 0 : activeQuantity(line))}>
        <span className="visually-hidden">{t(isReady ? "unbump" : "bump", { quantity: active })}</span>
        <span className="kline-name">{name}</span>
        {wishes}
        {moved.map(({ address, quantity }) => (
          <span key={address.posReference} className="kline-goes">
            {quantity < activeQuantity(line) && `${format.quantity(quantity)} `}→ {destinationOf(ticket, address)}
          </span>
        ))}
        {cancelledQuantity > 0 &&
          mark("bad", t("partCancelled", { count: cancelledQuantity, quantity: format.quantity(cancelledQuantity) }))}
        {soldOut === true && mark("warn", t("soldOut"))}
        {isReady && mark("good", t("ready"), <IconCheck size="1.2em" aria-hidden />)}
        {state === "started" &&
          mark(
            "accent",
            preparedQuantity > 0
              ? t("progress", { prepared: format.quantity(preparedQuantity), quantity: active })
              : t("started"),
          )}
      </ActButton>
    </li>
  );
}
