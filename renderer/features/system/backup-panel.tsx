import { bytesText } from "@comanda/ui/bytes-text.ts";
import type { Backup, BackupList } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton, type Action } from "../../components/forms/action-button.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { ConfirmationNote } from "../../components/forms/needs-confirmation.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { downloadFromHub } from "../../lib/hub-client.ts";
import { callHub, useHub } from "../../lib/hub.ts";
import { useNow } from "../../lib/hub-time.ts";
import { BackupFolders } from "./backup-folders.tsx";
import { RestorePreview } from "./restore-preview.tsx";

const toneOf = { good: "good", bad: "bad", unchecked: "idle" } as const;

/** The backups with their actions, and the state of the backup under way. */
export function BackupPanel() {
  const { t } = useTranslation("system");
  const columns = useColumns();
  const actions = useActions();
  return (
    <LoadedPanel
      title={t("tabs.backups")}
      flush
      actions={<ActionButton label={t("backUpNow")} primary run={() => callHub("makeBackup")} done={t("backedUp")} />}
      query={useHub("backups")}
      height={240}
    >
      {(list) => (
        <>
          <LastGood list={list} />
          <Progress list={list} />
          {/* A test result is valid until a folder changes, or the second one fails or recovers. A new copy keeps it. */}
          <BackupFolders key={[list.folder, list.second?.folder, list.second?.failure?.since].join("\n")} list={list} />
          <ConfirmationNote what={t("backupsConfirmed")} />
          <Table
            columns={columns}
            rows={list.backups}
            rowKey={(backup) => backup.name}
            actions={actions}
            empty={{ title: t("noBackupsTitle"), children: t("noBackups") }}
          />
        </>
      )}
    </LoadedPanel>
  );
}

/** The work under way, and why the daily backup cannot be made. */
function Progress({ list: { work, failure } }: { list: BackupList }) {
  const { t, format } = useTranslation("system");
  if (work.length === 0 && failure === null) return null;
  return (
    <div className="tools">
      {failure !== null && (
        <span role="status">
          <StatusMark tone="bad">
            {t(`backupFailure.${failure.reason}`, { time: format.dateTime(failure.nextAttemptAt) })}
          </StatusMark>{" "}
          <span className="mono">{failure.detail}</span>
        </span>
      )}
      {work.map(({ step, name, progress }) => (
        <StatusMark key={`${step} ${name}`} tone="idle">
          {t(`backupWork.${step}`, { percent: format.number(Math.floor(progress * 100)) })}
        </StatusMark>
      ))}
    </div>
  );
}

/** When the last good backup was made, and the state of a newer one. */
function LastGood({ list: { backups, lastGoodAt, work } }: { list: BackupList }) {
  const { t, format } = useTranslation("system");
  const now = useNow();
  const [newest] = backups;
  const isUnderWay = work.some(({ step }) => step !== "compressing");
  return (
    <div className="tools" role="status">
      {lastGoodAt !== null ? (
        <StatusMark tone="good">{t("lastGoodBackup", { ago: format.ago(lastGoodAt, now) })}</StatusMark>
      ) : isUnderWay ? (
        <StatusMark tone="idle">{t("firstBackupUnderWay")}</StatusMark>
      ) : (
        <StatusMark tone="warn">{t("noGoodBackup")}</StatusMark>
      )}
      {newest?.verified === "bad" && (
        <StatusMark tone="bad">{t("newestIsBad", { time: format.dateTime(newest.createdAt) })}</StatusMark>
      )}
    </div>
  );
}

function useColumns(): Column<Backup>[] {
  const { t, format } = useTranslation(["system", "common"]);
  return [
    { header: t("common:name"), className: "mono", cell: (backup) => backup.name },
    { header: t("created"), cell: (backup) => <TimeAgo at={backup.createdAt} /> },
    {
      header: t("size"),
      numeric: true,
      cell: ({ bytes, compressed }) => (
        <>
          {bytesText(format, bytes)}
          {compressed && <div className="soft">{t("compressed")}</div>}
        </>
      ),
    },
    { header: t("kind"), cell: (backup) => t(`kinds.${backup.kind}`) },
    {
      header: t("check"),
      cell: ({ verified }) => <StatusMark tone={toneOf[verified]}>{t(`checks.${verified}`)}</StatusMark>,
    },
  ];
}

function useActions(): (backup: Backup) => Action[] {
  const { t } = useTranslation(["system", "common"]);
  return ({ name }) => [
    {
      label: t("verify"),
      name: t("verifyOf", { name }),
      run: async () => {
        const { backup } = await callHub("verifyBackup", { params: { name } });
        notify(t("verified", { result: t(`checks.${backup.verified}`) }), { bad: backup.verified === "bad" });
      },
    },
    {
      label: t("common:download"),
      name: t("downloadOf", { name }),
      needsConfirmation: true,
      run: () => downloadFromHub("downloadBackup", { params: { name } }),
    },
    {
      label: t("restore"),
      name: t("restoreOf", { name }),
      needsConfirmation: true,
      confirm: {
        title: t("restoreTitle"),
        body: <RestorePreview name={name} />,
        danger: true,
        typeToConfirm: t("restoreWord"),
      },
      run: async () => {
        await callHub("restoreBackup", { params: { name }, body: { confirm: name } });
      },
      done: t("restoring"),
    },
  ];
}
