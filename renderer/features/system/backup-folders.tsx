import { bytesText } from "@comanda/ui/bytes-text.ts";
import type { BackupFolderTest, BackupFolderTests, BackupList, SecondFolder } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { callHub } from "../../lib/hub.ts";
import { useNow } from "../../lib/hub-time.ts";

/** Where the backups are stored, the state of the second folder, and a live test of both. */
export function BackupFolders({ list: { folder, second } }: { list: BackupList }) {
  const { t } = useTranslation("system");
  const [tests, setTests] = useState<BackupFolderTests | null>(null);
  return (
    <div className="tools">
      <Facts
        items={[
          fact(
            t("folder"),
            <>
              <span className="mono">{folder}</span> {tests !== null && <TestedFolder {...tests.first} />}
            </>,
          ),
          fact(
            t("secondFolder"),
            second === null ? (
              <span className="soft">{t("noSecondFolder")}</span>
            ) : (
              <>
                <span className="mono">{second.folder}</span> <SecondState second={second} />{" "}
                {tests?.second != null && <TestedFolder {...tests.second} />}
              </>
            ),
          ),
        ]}
      />
      <ActionButton size="xs" label={t("testFolders")} run={async () => setTests(await callHub("testBackupFolders"))} />
    </div>
  );
}

/** What the second folder contains, or since when and why it cannot be written. */
function SecondState({ second }: { second: SecondFolder }) {
  const { t, format } = useTranslation("system");
  const now = useNow();
  const { copies, lastCopyAt, freeBytes, sameDisk, work, failure } = second;
  const last = lastCopyAt === null ? null : t("secondCopies", { count: copies, ago: format.ago(lastCopyAt, now) });
  if (failure !== null) {
    const duration = format.age(now - Date.parse(failure.since));
    return (
      <span role="status">
        <StatusMark tone="bad">{t(`secondFailure.${failure.reason}`, { duration })}</StatusMark>{" "}
        <span className="soft">
          {t(`secondRemedy.${failure.reason}`)} {t("secondCatchesUp")} {last}
        </span>
      </span>
    );
  }
  if (work !== null) {
    const percent = format.number(Math.floor(work.progress * 100));
    return <StatusMark tone="idle">{t("secondWork", { percent })}</StatusMark>;
  }
  return (
    <span role="status">
      <StatusMark tone={last === null ? "idle" : "good"}>{last ?? t("secondPending")}</StatusMark>{" "}
      {freeBytes !== null && <span className="soft">{t("freeThere", { bytes: bytesText(format, freeBytes) })}</span>}{" "}
      {sameDisk && <StatusMark tone="warn">{t("sameDisk")}</StatusMark>}
    </span>
  );
}

/** The result of a folder test. */
export function TestedFolder({ result, freeBytes }: Pick<BackupFolderTest, "result" | "freeBytes">) {
  const { t, format } = useTranslation("system");
  if (result !== "writable") return <StatusMark tone="bad">{t(`folderTest.${result}`)}</StatusMark>;
  const text =
    freeBytes === null ? t("folderTest.writable") : t("folderTest.free", { bytes: bytesText(format, freeBytes) });
  return <StatusMark tone="good">{text}</StatusMark>;
}
