import { notifications } from "@mantine/notifications";
import type { Backup, BackupPreview } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Confirm } from "../../../components/confirm.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { useTableWords } from "../../../components/use-table-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useCatalogue } from "../api/catalogue.ts";
import { useBackupPreview } from "../api/preview-backup.ts";
import { restoreBackup } from "../api/restore-backup.ts";

/** Says what comes back and what is lost before anything is restored. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const { t } = useTranslation(["system", "common"]);
  const preview = useBackupPreview(backup.name);
  return (
    <Confirm
      open
      danger
      onClose={onClose}
      title={t("restoreTitle")}
      action={t("restore")}
      typeToConfirm={backup.name}
      run={async () => {
        const { keptAside } = await restoreBackup(backup.name);
        notifications.show({
          message: t("restoring", { path: keptAside }),
          color: "petrol",
          autoClose: false,
          closeButtonProps: { "aria-label": t("common:close") },
        });
      }}
    >
      <Loaded query={preview}>{(data) => <Consequences preview={data} />}</Loaded>
    </Confirm>
  );
}

function Consequences({ preview }: { preview: BackupPreview }) {
  const { t } = useTranslation("system");
  const format = useFormat();
  return (
    <ul>
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

/** Each order by itself: a number alone decides nothing. */
function Lost({ lost }: { lost: BackupPreview["lost"] }) {
  const { t } = useTranslation("system");
  const tableWords = useTableWords();
  const catalogue = useCatalogue();
  const format = useFormat();
  const more = lost.total - lost.items.length;
  return (
    <ul className="lost-list" aria-label={t("restoreList")}>
      {lost.items.map(({ posReference, kind, total, tableId, at, by }) => {
        const table = tableId === null ? null : tableWords(catalogue.tables[tableId] ?? tableId);
        const facts = [table, total === null ? null : format.money(total), format.timeExact(at), by];
        return (
          <li key={posReference}>
            <strong>{posReference}</strong> {t(`losses.kind.${kind}`)}
            <div className="soft">{facts.filter(Boolean).join(", ")}</div>
          </li>
        );
      })}
      {more > 0 && <li>{t("restoreListMore", { count: more })}</li>}
    </ul>
  );
}
