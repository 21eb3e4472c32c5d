import { Button } from "@mantine/core";
import type { Backup, BackupList } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Ago } from "../../../components/age.tsx";
import { Empty } from "../../../components/empty.tsx";
import { fact, Facts } from "../../../components/facts.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useAct } from "../../../components/use-act.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useBackups } from "../api/backups.ts";
import { downloadBackup } from "../api/download-backup.ts";
import { makeBackup } from "../api/make-backup.ts";
import { verifyBackup } from "../api/verify-backup.ts";
import { RestoreDialog } from "./restore-dialog.tsx";
import "./system.css";

const toneOf = { good: "good", bad: "bad", unchecked: "idle" } as const;

/** What could be gone back to. */
export function BackupPanel() {
  const { t } = useTranslation("system");
  const backups = useBackups();
  const queries = useQueryClient();
  const { busy, act } = useAct();
  const [restoring, setRestoring] = useState<Backup | null>(null);
  const readAgain = () => queries.invalidateQueries({ queryKey: hubKey("backups") });
  return (
    <Panel
      title={t("backups")}
      flush
      actions={
        <Button loading={busy} onClick={() => void act(() => makeBackup().then(readAgain), t("made"))}>
          {t("makeNow")}
        </Button>
      }
    >
      <Loaded query={backups} height={240}>
        {(list) => (
          <>
            <Progress list={list} />
            <Folders list={list} />
            {list.backups.length === 0 ? (
              <Empty title={t("noBackupsTitle")}>{t("noBackups")}</Empty>
            ) : (
              <Rows backups={list.backups} onRestore={setRestoring} onChanged={readAgain} />
            )}
          </>
        )}
      </Loaded>
      {restoring !== null && <RestoreDialog backup={restoring} onClose={() => setRestoring(null)} />}
    </Panel>
  );
}

/** What is being done at this moment, and why the daily backup cannot be made. */
function Progress({ list: { work, failure } }: { list: BackupList }) {
  const { t } = useTranslation("system");
  const format = useFormat();
  if (work.length === 0 && failure === null) return null;
  return (
    <div className="system-tools">
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

function Folders({ list }: { list: BackupList }) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const now = useNow();
  return (
    <div className="system-tools">
      {list.lastGoodAt === null ? (
        <StatusMark tone="warn">{t("noGood")}</StatusMark>
      ) : (
        <StatusMark tone="good">{t("lastGood", { ago: format.ago(list.lastGoodAt, now) })}</StatusMark>
      )}
      <Facts
        items={[
          fact(t("folder"), <span className="mono">{list.folder}</span>),
          fact(
            t("secondFolder"),
            list.secondFolder === null ? t("noSecond") : <span className="mono">{list.secondFolder}</span>,
          ),
        ]}
      />
    </div>
  );
}

interface RowsProps {
  backups: readonly Backup[];
  onRestore: (backup: Backup) => void;
  onChanged: () => Promise<void>;
}

function Rows({ backups, onRestore, onChanged }: RowsProps) {
  const { t } = useTranslation("system");
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("created")}</th>
            <th scope="col" className="right">
              {t("size")}
            </th>
            <th scope="col">{t("kind")}</th>
            <th scope="col">{t("check")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.map((backup) => (
            <Row key={backup.name} backup={backup} onRestore={() => onRestore(backup)} onChanged={onChanged} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  backup,
  onRestore,
  onChanged,
}: {
  backup: Backup;
  onRestore: () => void;
  onChanged: () => Promise<void>;
}) {
  const { t } = useTranslation(["system", "common"]);
  const format = useFormat();
  const { busy, act } = useAct();
  const { name } = backup;
  return (
    <tr>
      <td className="mono">{name}</td>
      <td>
        <Ago at={backup.createdAt} />
      </td>
      <td className="right num">
        {format.bytes(backup.bytes)}
        {backup.compressed && <div className="soft">{t("system:compressed")}</div>}
      </td>
      <td>{t(`system:kinds.${backup.kind}`)}</td>
      <td>
        <StatusMark tone={toneOf[backup.verified]}>{t(`system:checks.${backup.verified}`)}</StatusMark>
      </td>
      <td>
        <div className="button-row">
          <Button
            size="xs"
            variant="default"
            loading={busy}
            aria-label={t("system:verifyOf", { name })}
            onClick={() =>
              void act(async () => {
                const { backup: checked } = await verifyBackup(name);
                notifications.show({
                  message: t("system:verified", { result: t(`system:checks.${checked.verified}`) }),
                  color: checked.verified === "bad" ? "red" : "petrol",
                });
                await onChanged();
              })
            }
          >
            {t("system:verify")}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={t("system:download", { name })}
            onClick={() => void act(() => downloadBackup(name))}
          >
            {t("common:download")}
          </Button>
          <Button size="xs" variant="default" aria-label={t("system:restoreOf", { name })} onClick={onRestore}>
            {t("system:restore")}
          </Button>
        </div>
      </td>
    </tr>
  );
}
