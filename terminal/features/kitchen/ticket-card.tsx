import type { KitchenTicket } from "@comanda/protocol";
import { IconArrowBackUp, IconCheck, IconEye } from "@tabler/icons-react";
import { memo, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import { Age } from "./age.tsx";
import { hasUnseenCancel, leftOf } from "./ticket-facts.ts";
import { TicketLineRow } from "./ticket-line.tsx";
import { useTicketTitle } from "./ticket-title.ts";
import type { KitchenActs } from "./use-kitchen-acts.ts";
import { useSeen } from "./use-seen.ts";

/** One ticket: for whom, how long it has waited, and its dishes, each with a zone that a knuckle can hit. */
export const TicketCard = memo(function TicketCard({
  ticket,
  isGone,
  isAddOn,
  isOnShift,
  isStationNamed,
  place,
  selectedLine,
  emphasis,
  acts,
  onParts,
}: {
  ticket: KitchenTicket;
  /** It is finished and waits in its place for a moment. */
  isGone: boolean;
  isAddOn: boolean;
  isOnShift: boolean;
  /** The screen shows tickets of several stations. */
  isStationNamed: boolean;
  /** The digit that selects it on a bump bar. */
  place: string | null;
  /** The line that the bump bar is on, -1 for the whole ticket; null while another ticket is selected. */
  selectedLine: number | null;
  /** Whether it is one of the tickets of a dish that was tapped in the sums. */
  emphasis: "marked" | "dimmed" | null;
  acts: KitchenActs;
  onParts: (ticket: KitchenTicket, lineId: string) => void;
}) {
  const { t } = useTranslation("kitchen");
  const element = useRef<HTMLElement>(null);
  const { title, details } = useTicketTitle()(ticket);
  useSeen(element, ticket, isOnShift && !isGone);
  const isSelected = selectedLine !== null;
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);

  const hasCancel = hasUnseenCancel(ticket);
  const hasWork = ticket.lines.some((line) => leftOf(line) > 0);
  return (
    <article
      ref={element}
      className="ticket"
      aria-label={title}
      data-gone={isGone || undefined}
      data-selected={isSelected || undefined}
      data-emphasis={emphasis ?? undefined}
    >
      <header className="ticket-head">
        <h2 className="ticket-title">
          {place !== null && (
            <span className="ticket-key" aria-hidden>
              {place}
            </span>
          )}
          {title}
        </h2>
        {!isGone && <Age since={ticket.sentAt} lines={ticket.lines} />}
        <p className="ticket-whom">
          {[isStationNamed && ticket.stationName, ...details, ticket.sentBy].filter(Boolean).join(" · ")}
        </p>
        <p className="ticket-marks">
          {isAddOn && (
            <span className="kmark" data-tone="accent">
              {t("addOn")}
            </span>
          )}
          {ticket.late === true && (
            <span className="kmark" data-tone="warn">
              {t("late")}
            </span>
          )}
          {hasCancel && (
            <span className="kmark" data-tone="bad">
              {t("cancelUnseen")}
            </span>
          )}
          {!isGone && ticket.lines.some(({ state }) => state === "unseen") && (
            <span className="kmark" data-tone="accent">
              {t("unseen")}
            </span>
          )}
        </p>
      </header>
      {isGone ? (
        <div className="ticket-gone">
          <p>
            <IconCheck aria-hidden /> {t("done")}
          </p>
          <ActButton className="kzone" onAct={() => acts.takeBack(ticket)}>
            <IconArrowBackUp aria-hidden />
            {t("bringBack")}
          </ActButton>
        </div>
      ) : (
        <>
          <ul className="ticket-lines">
            {ticket.lines.map((line, index) => (
              <TicketLineRow
                key={line.lineId}
                ticket={ticket}
                line={line}
                isSelected={selectedLine === index}
                acts={acts}
                onParts={onParts}
              />
            ))}
          </ul>
          <footer className="ticket-foot">
            {hasCancel && (
              <ActButton kind="danger" onAct={() => acts.seen(ticket)}>
                <IconEye aria-hidden />
                {t("acknowledge")}
              </ActButton>
            )}
            {hasWork && (
              <ActButton kind="main" onAct={() => acts.bumpAll(ticket)}>
                <IconCheck aria-hidden />
                {t("allReady")}
              </ActButton>
            )}
            {!hasWork && ticket.serving && (
              <ActButton
                kind="main"
                onAct={() =>
                  acts.served(
                    title,
                    ticket.lines.filter(({ state }) => state === "ready").map((line) => ({ ticket, line })),
                  )
                }
              >
                {t("serve")}
              </ActButton>
            )}
          </footer>
        </>
      )}
    </article>
  );
});
