import { isActive, MINUTE_MS } from "@comanda/protocol";
import { contactOf } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { matcherOf } from "@comanda/ui/search.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { IconBellRinging, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link, useLocation } from "wouter";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { useTableNames } from "../../lib/labels/table-names.ts";
import { beginWithScan } from "../../checks/begin-with-scan.ts";
import { searchTexts } from "../../checks/search-texts.ts";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { isOffPlan } from "../../checks/checks-by-table.ts";
import { readyByCheck, useReadyTickets } from "../../checks/ready-dishes.ts";
import { useInUse } from "../../lib/connection/in-use.ts";
import { useSearchKeys } from "../../lib/page/use-search-keys.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { SearchField } from "../../components/search-field.tsx";
import "../../components/table-tile.css";
import "../../components/screen.css";
import "./takeaway.css";

/** The checks on no table of the floor plan, and the button for a new one. */
export function TakeawayScreen() {
  const { t, format } = useTranslation(["order", "floor", "kitchen"]);
  const titleOf = useCheckTitles();
  const tables = useTableNames();
  const inUse = useInUse();
  const ready = readyByCheck(useReadyTickets());
  const orders = useLive("orders")
    .filter((order) => isActive(order.snapshot.status) || isPaidUnsent(order.snapshot))
    .filter((order) => isOffPlan(order, tables))
    .toSorted(comparePromise);
  const [typed, setTyped] = useState("");
  const matches = matcherOf(typed);
  const found = orders.filter(({ snapshot }) => matches(titleOf(snapshot), ...searchTexts(snapshot)));
  const [, go] = useLocation();
  const field = useSearchKeys({
    scanned: (code) => beginWithScan(code, go),
    enter() {
      const [first] = found;
      if (typed.trim() !== "" && first !== undefined) go(hrefOf(first));
    },
    clear: () => setTyped(""),
  });
  const terminal = useTerminal();
  const minute = useTextAt(() => String(Math.floor(terminal.now() / MINUTE_MS)));
  const isLate = (promisedAt: string | undefined): boolean =>
    promisedAt !== undefined && Date.parse(promisedAt) < Number(minute) * MINUTE_MS;
  return (
    <div className="tools-screen takeaway">
      <ul className="takeaway-list">
        {found.length === 0 && <li className="takeaway-none">{t(typed === "" ? "noTakeaway" : "noneFound")}</li>}
        {found.map((order) => {
          const { posReference, snapshot, pending } = order;
          const { phone, address, promisedAt } = contactOf(snapshot);
          const standsReady = ready.get(posReference) ?? 0;
          return (
            <li key={posReference}>
              <Link
                href={hrefOf(order)}
                className="table-tile"
                data-tone={isPaidUnsent(snapshot) || isLate(promisedAt) ? "warn" : standsReady > 0 ? "good" : "accent"}
              >
                <strong className="table-name">{titleOf(snapshot)}</strong>
                {isPaidUnsent(snapshot) && <span className="table-state">{t("paidUnsent")}</span>}
                {standsReady > 0 && (
                  <span className="table-state">
                    <IconBellRinging size={16} aria-hidden />
                    <span>{t("floor:ready", { count: standsReady })}</span>
                  </span>
                )}
                {promisedAt !== undefined && (
                  <span className="table-state">
                    {t(isLate(promisedAt) ? "promisedLate" : "kitchen:promisedAt", {
                      time: format.upcoming(promisedAt, terminal.now()),
                    })}
                  </span>
                )}
                {[phone, address].map(
                  (text) =>
                    text !== undefined && (
                      <span key={text} className="table-facts">
                        {text}
                      </span>
                    ),
                )}
                <span className="table-facts">
                  {t("lines", { count: snapshot.lines.length })} · {format.money(snapshot.totals.total)}
                </span>
                <UsedBy name={inUse(posReference)?.userName} isWaiting={pending > 0} />
              </Link>
            </li>
          );
        })}
      </ul>
      <div className="chips tools-bar">
        <SearchField field={field} typed={typed} onTyped={setTyped} hint={t("searchShort")} label={t("searchChecks")} />
        <Link href="/takeaway/new" className="act" data-kind="main">
          <IconPlus aria-hidden />
          {t("newTakeaway")}
        </Link>
      </div>
    </div>
  );
}

function hrefOf({ posReference }: LocalOrder): string {
  return `/check/${encodeURIComponent(posReference)}`;
}

/** Orders checks by promised time; those without one come last. */
function comparePromise({ snapshot: one }: LocalOrder, { snapshot: other }: LocalOrder): number {
  const at = (snapshot: LocalOrder["snapshot"]): number => Date.parse(contactOf(snapshot).promisedAt ?? "9999-12-31");
  return at(one) - at(other);
}

function UsedBy({ name, isWaiting }: { name: string | undefined; isWaiting: boolean }) {
  const { t } = useTranslation("inUse");
  return name !== undefined && <span className="table-people">{t(isWaiting ? "waitsFor" : "usedBy", { name })}</span>;
}
