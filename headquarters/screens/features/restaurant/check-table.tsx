import type { HqCheck } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useState } from "react";
import { CheckDialog } from "./check-dialog.tsx";

/** The newest checks in headquarters' copy of a restaurant. Each opens with its lines. */
export function CheckTable({
  restaurantId,
  checks,
  copyOf,
}: {
  restaurantId: string;
  checks: readonly HqCheck[];
  copyOf: string | null;
}) {
  const { t, format } = useTranslation(["restaurant", "sales", "now"]);
  const [open, setOpen] = useState<string | null>(null);
  const now = useNow();

  function statusOf({ paidAt, removed }: HqCheck): string {
    if (removed !== null) {
      const { by, reason } = removed;
      return by === null || reason === null ? t("isRemovedPlain") : t("isRemoved", { by, reason });
    }
    return paidAt === null ? t("isOpen") : t("isPaid", { time: format.time(paidAt) });
  }

  return (
    <section className="card">
      <h2>{t("sales:checksHead")}</h2>
      {copyOf !== null && <p className="soft">{t("checksAsOf", { time: format.dateTime(copyOf) })}</p>}
      {checks.length === 0 && <p className="soft">{t("noChecks")}</p>}
      {checks.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t("reference")}</th>
              <th scope="col">{t("now:state")}</th>
              <th scope="col">{t("who")}</th>
              <th scope="col">{t("opened")}</th>
              <th scope="col" className="right">
                {t("total")}
              </th>
            </tr>
          </thead>
          <tbody>
            {checks.map((check) => (
              <tr key={check.posReference} data-removed={check.removed !== null}>
                <td>
                  <button type="button" className="reference" onClick={() => setOpen(check.posReference)}>
                    {check.posReference}
                  </button>
                </td>
                <td>{statusOf(check)}</td>
                <td>{check.staffName ?? ""}</td>
                <td className="num">{format.when(check.openedAt, now)}</td>
                <td className="num right">{format.money(check.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {open !== null && <CheckDialog restaurantId={restaurantId} posReference={open} onClose={() => setOpen(null)} />}
    </section>
  );
}
