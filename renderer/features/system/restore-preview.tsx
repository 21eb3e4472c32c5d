import { bytesText } from "@comanda/ui/bytes-text.ts";
import type { BackupPreview } from "@comanda/protocol";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTableName } from "../../components/labels.ts";
import { Loaded } from "../../components/tables/loaded.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { hubQuery } from "../../lib/hub.ts";
import { usePaidInPart } from "./paid-in-part.ts";
import { useNow } from "../../lib/hub-time.ts";

/** What restoring a backup brings back and what it loses. */
export function RestorePreview({ name }: { name: string }) {
  // Always read anew, because the live file changes.
  const preview = useQuery({ ...hubQuery("previewBackup", { params: { name } }), staleTime: 0, gcTime: 0 });
  return <Loaded query={preview}>{(data) => <Consequences preview={data} />}</Loaded>;
}

function Consequences({ preview }: { preview: BackupPreview }) {
  const { t, format } = useTranslation("system");
  const now = useNow();
  const { backup } = preview;
  return (
    <ul>
      <li>
        {t("restoreWhich", {
          kind: t(`kinds.${backup.kind}`),
          time: format.dateTime(backup.createdAt),
          ago: format.ago(backup.createdAt, now),
          bytes: bytesText(format, backup.bytes),
        })}
      </li>
      {preview.otherHub && (
        <li>
          <StatusMark tone="warn">{t("restoreOther", { name: preview.restaurant ?? t("restoreUnnamed") })}</StatusMark>
        </li>
      )}
      <li>
        {t("restoreBack", {
          time: format.dateTime(preview.newestChangeAt ?? preview.backup.createdAt),
          orders: format.number(preview.orders),
          active: format.number(preview.activeOrders),
          pending: format.number(preview.pendingForward),
        })}
      </li>
      <li>
        <strong>{t("restoreLost", { count: preview.changesLost })}</strong>
        {preview.lost.total > 0 && <Lost lost={preview.lost} />}
      </li>
      <li>{t("restoreTerminals", { count: preview.connectedTerminals })}</li>
      <li>{t("restoreKept")}</li>
    </ul>
  );
}

function Lost({ lost }: { lost: BackupPreview["lost"] }) {
  const { t, format } = useTranslation(["system", "common"]);
  const tableName = useTableName();
  const paidOf = usePaidInPart();
  const more = lost.total - lost.items.length;
  return (
    // A scrolling region must be reachable by keyboard.
    <ul className="lost-list" tabIndex={0} aria-label={t("restoreList")}>
      {lost.items.map(({ posReference, kind, total, paid, tableId, at, by }) => {
        const table = tableId === null ? null : tableName(tableId);
        const details = [
          table,
          total === null ? null : format.money(total),
          paidOf({ total, paid }),
          format.timeExact(at),
          by,
        ];
        return (
          <li key={posReference}>
            <strong>{posReference}</strong> {t(`losses.kind.${kind}`)}
            <div className="soft">{details.filter(Boolean).join(", ")}</div>
          </li>
        );
      })}
      {more > 0 && <li>{t("common:andMore", { count: more })}</li>}
    </ul>
  );
}
