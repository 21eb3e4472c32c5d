import { notifications } from "@mantine/notifications";
import type { Backup, BackupPreview } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Confirm } from "../../../components/confirm.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useBackupPreview } from "../api/preview-backup.ts";
import { restoreBackup } from "../api/restore-backup.ts";

/** Says what comes back and what is lost before anything is restored. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const { t } = useTranslation("system");
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
        notifications.show({ message: t("restoring", { path: keptAside }), color: "petrol", autoClose: false });
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
      </li>
      <li>{t("restoreTerminals", { count: preview.connectedTerminals })}</li>
      <li>{t("restoreKept")}</li>
    </ul>
  );
}
