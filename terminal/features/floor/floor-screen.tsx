import type { BackOfficeFloor } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useFormat } from "@comanda/ui/format.ts";
import { IconChevronRight, IconListCheck, IconStarFilled, IconHash } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useStore } from "@comanda/ui/store.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link, useLocation } from "wouter";
import { useReadyTickets } from "../../checks/ready-dishes.ts";
import { useInUse } from "../../lib/connection/in-use.ts";
import { useLive } from "../../lib/connection/pos.ts";
import { savedStore } from "../../lib/device/saved.ts";
import { useWidth } from "../../lib/page/use-width.ts";
import { FloorPlan } from "./floor-plan.tsx";
import { sortByUrgency, isOfOtherWaiters, tableCards, type TableCard, tablesByNumber } from "./table-card.ts";
import { TableTile, stateLooks, StateWord, TableAge } from "./table-tile.tsx";
import { Awaited } from "../../checks/awaited.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { Sheet } from "../../components/sheet.tsx";
import "./floor.css";

const noFloors: readonly BackOfficeFloor[] = [];
/** The floor shown last on this device. */
const lastFloor = savedStore<number | null>("comanda-terminal-floor", (value) => typeof value === "number", null);
/** Whether the floor shows only the user's own tables. */
const onlyMine = savedStore<boolean>("comanda-terminal-only-mine", (value) => typeof value === "boolean", false);

/**
 * All tables of a floor: the plan to scale, and beside it the tables that need attention. A phone shows either, the list first.
 */
export function FloorScreen() {
  const { t } = useTranslation("floor");
  const received = useLive("floors")?.floors;
  const floors = received ?? noFloors;
  const chosen = useStore(lastFloor);
  const width = useWidth();
  const [isList, setList] = useState(true);
  const orders = useLive("orders");
  const tickets = useReadyTickets();
  const bookings = useLive("bookings");
  const presence = useLive("presence");
  const inUse = useInUse();
  const tables = useLive("tables");
  const me = useLive("actor")?.user.name ?? null;
  const isMine = useStore(onlyMine);
  const cardsByFloor = useMemo(
    () =>
      new Map(
        floors.map(
          (each) => [each.id, tableCards(each, { orders, tickets, bookings, presence, inUse, tables, me })] as const,
        ),
      ),
    [floors, orders, tickets, bookings, presence, inUse, tables, me],
  );
  const floor = floors.find(({ id }) => id === chosen) ?? floors[0];
  if (floor === undefined) {
    return received === undefined ? (
      <Awaited text={t("floorAwaited")} />
    ) : (
      <p className="screen-none">{t("noFloor")}</p>
    );
  }
  const cards = cardsByFloor.get(floor.id) ?? [];
  const isShown = (card: TableCard): boolean => !isMine || !isOfOtherWaiters(card);
  const shown = cards.filter(isShown);
  const all = [...cardsByFloor.values()].flat();
  return (
    <div className="floor" data-width={width}>
      <div className="chips floor-tools">
        <div role="tablist" aria-label={t("floors")} className="floor-tabs">
          {floors.map(({ id, name }) => (
            <ActButton
              key={id}
              role="tab"
              size="small"
              isRepeatable
              aria-selected={id === floor.id}
              onAct={() => lastFloor.set(id)}
            >
              {name}
            </ActButton>
          ))}
        </div>
        <TableNumber cards={all} />
        <ActButton size="small" isRepeatable aria-pressed={isMine} onAct={() => onlyMine.set(!isMine)}>
          <IconStarFilled size={22} aria-hidden />
          {t("onlyMine")}
        </ActButton>
        {width === "phone" && (
          <ActButton size="small" isRepeatable aria-pressed={isList} onAct={() => setList(!isList)}>
            <IconListCheck size={22} aria-hidden />
            {t("list")}
          </ActButton>
        )}
      </div>
      {cards.length === 0 ? (
        <p className="screen-none">{t("noTables")}</p>
      ) : width === "phone" && isList ? (
        shown.length === 0 ? (
          <p className="screen-none">{t("noneMine")}</p>
        ) : (
          <FloorList cards={sortByUrgency(shown)} />
        )
      ) : (
        <FloorPlan floor={floor} cards={cards} isMine={isMine} />
      )}
      {width !== "phone" && <NeedsList cards={all.filter(isShown)} />}
    </div>
  );
}

/** Fits rows of two and of three, and is no more than a phone shows at once. */
const IN_A_PART = 6;

/** The tables in parts: the browser only lays out and paints those in or near view, which keeps long lists fast. */
function FloorList({ cards }: { cards: readonly TableCard[] }) {
  const parts = Array.from({ length: Math.ceil(cards.length / IN_A_PART) }, (_, part) =>
    cards.slice(part * IN_A_PART, (part + 1) * IN_A_PART),
  );
  return (
    <div className="floor-list">
      {parts.map((part, at) => (
        <ul key={at} className="floor-part">
          {part.map((card) => (
            <li key={card.tableId} className="floor-item">
              <TableTile card={card} hasDue={false} />
              {card.checks.length > 0 && <CheckLink tableId={card.tableId} name={card.name} due={card.due} />}
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

/** The amount due at a table, which opens its check where that has no room beside the tiles. */
function CheckLink({ tableId, name, due }: { tableId: number; name: string; due: number }) {
  const { t } = useTranslation("floor");
  const sum = useFormat().money(due);
  return (
    <Link
      href={`/table/${tableId}/check`}
      className="floor-check"
      // The label contains the visible text, for voice control.
      aria-label={t("checkOf", { name, due: sum })}
    >
      {sum}
      <IconChevronRight size={18} aria-hidden />
    </Link>
  );
}

/** The tables that need attention, most urgent first, beside the plan. */
function NeedsList({ cards }: { cards: readonly TableCard[] }) {
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

const MAX_LENGTH = 4;

/** Opens a table by its number. */
function TableNumber({ cards }: { cards: readonly TableCard[] }) {
  const { t } = useTranslation("floor");
  const [typed, setTyped] = useState<string | null>(null);
  const [, go] = useLocation();
  const found = tablesByNumber(cards, typed ?? "").slice(0, 6);
  return (
    <>
      <ActButton size="small" aria-label={t("number")} onAct={() => setTyped("")}>
        <IconHash size={22} aria-hidden />
        {t("numberShort")}
      </ActButton>
      {typed !== null && (
        <Sheet title={t("number")} onClose={() => setTyped(null)}>
          <div className="stack low">
            <output className="number-typed" aria-live="polite">
              {typed === "" ? "–" : typed}
            </output>
            <div className="number-found">
              {found.map(({ tableId, name }) => (
                <ActButton key={tableId} kind="main" onAct={() => go(`/table/${tableId}`)}>
                  {name}
                </ActButton>
              ))}
              {typed !== "" && found.length === 0 && <p>{t("noSuchTable")}</p>}
            </div>
            <Keypad
              onKey={(key) => setTyped(key === "erase" ? typed.slice(0, -1) : (typed + key).slice(0, MAX_LENGTH))}
            />
          </div>
        </Sheet>
      )}
    </>
  );
}
