import { activeQuantity } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import { Age } from "./age.tsx";
import type { ExpoGroup, ExpoLine } from "./expo-groups.ts";
import { leftOf, modifierNames } from "./ticket-facts.ts";
import { useTicketTitle } from "./ticket-title.ts";
import type { KitchenActs } from "./use-kitchen-acts.ts";

/** One table at the pass: what can be taken, by dish or all of it, and what it still waits for. */
export function ExpoCard({ group, isGone, acts }: { group: ExpoGroup; isGone: boolean; acts: KitchenActs }) {
  const { t } = useTranslation(["kitchenMore", "kitchen"]);
  const { first, ready, missing } = group;
  const { title, details } = useTicketTitle()(first);
  const isComplete = missing.length === 0;
  return (
    <article className="ticket" aria-label={title} data-gone={isGone || undefined}>
      <header className="ticket-head">
        <h2 className="ticket-title">{title}</h2>
        {!isGone && <Age since={group.sentAt} lines={[...ready, ...missing].map(({ line }) => line)} />}
        <p className="ticket-whom">{[...details, first.sentBy].join(" · ")}</p>
        {ready.length > 0 && !isGone && (
          <p className="ticket-marks">
            <span className="kmark" data-tone={isComplete ? "good" : "warn"}>
              {isComplete ? t("complete") : t("incomplete")}
            </span>
          </p>
        )}
      </header>
      {isGone ? (
        <p className="ticket-gone">
          <IconCheck aria-hidden /> {t("allTaken")}
        </p>
      ) : (
        <>
          <ul className="ticket-lines">
            {ready.map((each) => (
              <li key={keyOf(each)} className="kline" data-state="ready">
                <ActButton className="kline-dish kzone" onAct={() => acts.served(nameOf(each), [each])}>
                  <span className="visually-hidden">{t("takeOne")}</span>
                  <DishWords {...each} quantity={activeQuantity(each.line)} />
                  <span className="kline-state" data-tone="good">
                    <IconCheck size="1.2em" aria-hidden /> {t("kitchen:ready")}
                  </span>
                </ActButton>
              </li>
            ))}
            {missing.map((each) => (
              <li key={keyOf(each)} className="kline" data-state="missing">
                <span className="kline-dish">
                  <DishWords {...each} quantity={leftOf(each.line)} />
                  <span className="kline-state" data-tone="warn">
                    {[t("missing"), each.ticket.stationName].filter(Boolean).join(" · ")}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          {ready.length > 0 && (
            <footer className="ticket-foot">
              <ActButton kind="main" onAct={() => acts.served(title, ready)}>
                {t("takeAll")}
              </ActButton>
            </footer>
          )}
        </>
      )}
    </article>
  );
}

function DishWords({ line, quantity }: ExpoLine & { quantity: number }) {
  const { t } = useTranslation(["kitchenMore", "kitchen"]);
  const format = useFormat();
  const { seat } = line;
  return (
    <>
      <span className="kline-name">
        {format.number(quantity)} {line.name}
      </span>
      {modifierNames(line).map((modifier, index) => (
        <span key={index} className="kline-modifier">
          {modifier}
        </span>
      ))}
      {seat !== null && seat !== undefined && <span className="kline-more">{t("kitchen:seat", { seat })}</span>}
    </>
  );
}

function nameOf({ line }: ExpoLine): string {
  return `${activeQuantity(line)} ${line.name}`;
}

function keyOf({ ticket, line }: ExpoLine): string {
  return `${ticket.id} ${line.lineId}`;
}
