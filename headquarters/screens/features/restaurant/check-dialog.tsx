import { useTranslation } from "@comanda/ui/translation.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Missing } from "../../components/missing.tsx";
import { useAnswerOfHub } from "../../lib/cache.ts";
import type { AnswerOf } from "../../lib/hq.ts";

/** A check with its lines: as its hub has it now, or headquarters' copy. */
export function CheckDialog({
  restaurantId,
  posReference,
  onClose,
}: {
  restaurantId: string;
  posReference: string;
  onClose: () => void;
}) {
  const { data, error } = useAnswerOfHub("check", { id: restaurantId, query: { posReference } });
  return (
    <Dialog title={posReference} onClose={onClose}>
      {data === undefined ? <Missing error={error} /> : <Check check={data} />}
    </Dialog>
  );
}

function Check({ check: { order, copyOf } }: { check: AnswerOf<"check"> }) {
  const { t, format } = useTranslation("restaurant");
  const { lines, totals, tenders = [], staffName } = order.snapshot;
  return (
    <>
      <p className="soft" role="status">
        {copyOf === null ? t("checkNow") : t("checkCopy", { time: format.dateTime(copyOf) })}
      </p>
      {staffName != null && <p>{t("checkBy", { name: staffName })}</p>}
      <table className="table">
        <tbody>
          {lines.map(({ id, name, quantity, total }) => (
            <tr key={id}>
              <td className="num right">{format.quantity(quantity)}</td>
              <td>{typeof name === "string" ? name : t("noName")}</td>
              <td className="num right">{total === undefined ? "" : format.money(total)}</td>
            </tr>
          ))}
          <tr>
            <td />
            <th scope="row">{t("total")}</th>
            <td className="num right">{format.money(totals.total)}</td>
          </tr>
          {tenders.map(({ tenderId, amount, takenAt }) => (
            <tr key={tenderId}>
              <td />
              <td>{takenAt === undefined ? t("tender") : t("tenderAt", { time: format.time(takenAt) })}</td>
              <td className="num right">{format.money(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
