import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { sortByUrgency, type TableCard } from "./table-card.ts";
import { stateLooks, StateWord, TableAge } from "./table-tile.tsx";

/** The tables that need attention, most urgent first, beside the plan. */
export function NeedsList({ cards }: { cards: readonly TableCard[] }) {
  const { t } = useTranslation("floor");
  const busy = sortByUrgency(cards).filter(({ state }) => state !== "free" && state !== "booked");
  return (
    <section className="needs" aria-label={t("needsYou")}>
      <h2>{t("needsYou")}</h2>
      {busy.length === 0 && <p className="soft">{t("allQuiet")}</p>}
      <ul className="rows">
        {busy.map((card) => (
          <li key={card.tableId}>
            <Row card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ card }: { card: TableCard }) {
  const { t, format } = useTranslation(["floor", "inUse"]);
  const { tone, Icon } = stateLooks[card.state];
  const owner = card.isMine ? t("mine") : format.list(card.staff);
  const waiting = card.isWaiting && card.usedBy !== null ? t("inUse:waitsFor", { name: card.usedBy }) : null;
  const about = waiting ?? (card.staff.length > 0 ? owner : (card.booking?.reservation.guestName ?? ""));
  return (
    <Link href={`/table/${card.tableId}`} className="needs-row" data-tone={tone}>
      <span className="table-state">
        <Icon size={20} aria-hidden />
        <StateWord card={card} />
      </span>
      <strong>{card.name}</strong>
      <span className="needs-about">
        <TableAge since={card.since} more={about} />
      </span>
      <span className="money">{card.checks.length > 0 && format.money(card.due)}</span>
    </Link>
  );
}
