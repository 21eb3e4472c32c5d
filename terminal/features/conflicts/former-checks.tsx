import { isActive } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { useTableNames } from "../../lib/table-names.ts";

/** What this device holds of the hub that stood here before, and whether a manager was asked about it. */
export function FormerChecks() {
  const { t } = useTranslation("conflicts");
  const format = useFormat();
  const terminal = useTerminal();
  const checks = useLive("formerChecks");
  const names = useTableNames();
  if (checks.length === 0) return null;
  const left = checks.filter(({ state }) => state !== "asked").length;
  return (
    <section className="conflicts-card" data-tone="warn" aria-labelledby="conflicts-former">
      <h2 id="conflicts-former">{t("former.title", { count: checks.length })}</h2>
      {left < checks.length && <p>{t("former.asked")}</p>}
      {left > 0 && <p>{t("former.onlyHere", { count: left })}</p>}
      <ul>
        {checks.map(({ posReference, snapshot: { tableId, ticketNumber, customerName, status, totals } }) => (
          <li key={posReference}>
            {[
              tableId === null ? (ticketNumber ?? t("takeaway")) : (names.get(tableId) ?? t("aTable")),
              customerName,
              t(isActive(status) ? "total" : "taken", { amount: format.money(totals.total) }),
            ]
              .filter(Boolean)
              .join(" · ")}
          </li>
        ))}
      </ul>
      {checks.some(({ state }) => state !== "waiting") && (
        <div className="conflicts-acts">
          <ActButton onAct={terminal.forgetFormerChecks}>{t("former.forget")}</ActButton>
        </div>
      )}
    </section>
  );
}
