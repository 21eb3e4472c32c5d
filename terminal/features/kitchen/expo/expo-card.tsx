import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";
import { DishWishes } from "../tickets/dish-wishes.tsx";
import { Age } from "../tickets/age.tsx";
import { CheckNotes } from "../tickets/check-notes.tsx";
import { priorityOf, type ExpoGroup, type ExpoLine } from "./expo-groups.ts";
import { useTicketTitle } from "../tickets/ticket-title.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";

/** One check at the pass: the dishes ready to take, one by one or all, and the missing ones. */
export function ExpoCard({
  group,
  isTimed,
  done,
  acts,
}: {
  group: ExpoGroup;
  /** Whether another check at the pass differs only in its time. */
  isTimed: boolean;
  /** The reason why the card has left the pass, shown in its place for a moment; null while it is there. */
  done: string | null;
  acts: KitchenActs;
}) {
  const { t, format } = useTranslation(["kitchenMore", "kitchen"]);
  const { id, address, ready, missing, sentAt, sentBy } = group;
  const { title, about: whom } = useTicketTitle()(address);
  // Renders again when a check is handed over.
  useLive("orders");
  const waiter = useTerminal().order(id)?.snapshot.staffName || sentBy;
  const about = joinWithDots(whom, isTimed && t("sentAt", { time: format.time(sentAt) }), waiter);
  const isDone = done !== null;
  const served = (lines: readonly ExpoLine[]) => lines.map((each) => ({ ...each, heldBy: address.posReference }));
  const { isFirst, toChange } = priorityOf(group);
  const isComplete = missing.length === 0;
  return (
    <article className="ticket" aria-label={title} data-gone={isDone || undefined}>
      <header className="ticket-head">
        <h2 className="ticket-title">{title}</h2>
        {!isDone && <Age since={sentAt} lines={[...ready, ...missing].map(({ line }) => line)} />}
        <p className="ticket-whom">{about}</p>
        {ready.some(({ quantity }) => quantity > 0) && !isDone && (
          <p className="ticket-marks">
            <span className="kmark" data-tone={isComplete ? "good" : "warn"}>
              {isComplete ? t("complete") : t("incomplete")}
            </span>
          </p>
        )}
        <CheckNotes of={address} />
      </header>
      {isDone ? (
        <p className="ticket-gone">
          <IconCheck aria-hidden /> {done}
        </p>
      ) : (
        <>
          <ul className="ticket-lines">
            {ready.map((each) => (
              <li key={keyOf(each)} className="kline" data-state={each.quantity > 0 ? "ready" : "cancelled"}>
                <ActButton
                  className="kline-dish kzone"
                  onAct={() => acts.served(nameOf(each, format.quantity), served([each]))}
                >
                  <span className="visually-hidden">{t("takeOne")}</span>
                  <DishText {...each} />
                  {each.quantity > 0 && (
                    <span className="kline-state" data-tone="good">
                      <IconCheck size="1.2em" aria-hidden /> {t("kitchen:ready")}
                    </span>
                  )}
                  {each.voided > 0 && (
                    <span className="kline-state" data-tone="bad">
                      {t("kitchen:partCancelled", { count: each.voided, quantity: format.quantity(each.voided) })}
                    </span>
                  )}
                </ActButton>
              </li>
            ))}
            {missing.map((each) => (
              <li key={keyOf(each)} className="kline" data-state="missing">
                <span className="kline-dish">
                  <DishText {...each} />
                  <span className="kline-state" data-tone="warn">
                    {joinWithDots(t("missing"), each.ticket.stationName, each.line.state === "unseen" && t("notSeen"))}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <footer className="rows ticket-foot">
            {ready.length > 0 && (
              <ActButton kind="main" onAct={() => acts.served(title, served(ready))}>
                {t("takeAll")}
              </ActButton>
            )}
            {toChange.length > 0 && (
              <ActButton aria-pressed={isFirst} onAct={() => acts.prioritize(title, toChange, !isFirst)}>
                {t(isFirst ? "unprioritize" : "prioritize")}
              </ActButton>
            )}
          </footer>
        </>
      )}
    </article>
  );
}

function DishText(each: ExpoLine) {
  const { t, format } = useTranslation(["kitchenMore", "kitchen"]);
  const { line, quantity } = each;
  const { seat } = line;
  const Name = quantity > 0 ? "span" : "s";
  return (
    <>
      <Name className="kline-name">{nameOf(each, format.quantity)}</Name>
      <DishWishes line={line} />
      {seat !== null && seat !== undefined && <span className="kline-more">{t("kitchen:seat", { seat })}</span>}
    </>
  );
}

function nameOf({ line, quantity, voided }: ExpoLine, number: (value: number) => string): string {
  return `${number(quantity || voided)} ${line.name}`;
}

function keyOf({ ticket, line }: ExpoLine): string {
  return `${ticket.id} ${line.lineId}`;
}
