import { bytesText } from "@comanda/ui/bytes-text.ts";
import type { ChosenBackups, DesktopBackup, DesktopBackups } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useRef, useState } from "react";
import type { Outcome } from "./use-outcome.ts";

/** Returns texts for restoring a backup and for what would be missing afterwards. */
export function useBackupTexts() {
  const { t } = useTranslation("failure");
  const format = useFormat();
  const isOfToday = ({ madeAt }: DesktopBackup) => new Date(madeAt).toDateString() === new Date().toDateString();
  return {
    restore: (backup: DesktopBackup): string =>
      isOfToday(backup)
        ? t("restoreToday", { time: format.time(backup.madeAt) })
        : t("restoreDay", { day: format.fullDateTime(backup.madeAt) }),
    loss: (backup: DesktopBackup): string =>
      t("restoreMeans", {
        since: isOfToday(backup)
          ? t("sinceToday", { time: format.time(backup.madeAt) })
          : t("sinceDay", { day: format.fullDateTime(backup.madeAt) }),
        ago: format.ago(backup.madeAt, Date.now()),
        count: backup.changesAfter ?? 0,
      }),
  };
}

/** Asks for confirmation before the data file is replaced. */
export function Confirmation({ onSure, onCancel }: { onSure: () => void; onCancel: () => void }) {
  const { t } = useTranslation("failure");
  return (
    <>
      <p>{t("restoreQuestion")}</p>
      <div className="buttons">
        <ActButton size="small" onAct={onSure}>
          {t("restoreSure")}
        </ActButton>
        <ActButton size="small" onAct={onCancel}>
          {t("cancel")}
        </ActButton>
      </div>
    </>
  );
}

interface OtherBackupProps extends Pick<Outcome, "setOutcome"> {
  found: DesktopBackups;
  choose: (from: "file" | "folder") => Promise<ChosenBackups>;
  restore: (path: string) => void;
}

/** Lists the other backups, and lets a person choose a file or a folder. */
export function OtherBackup({ found: { backups, newestGood }, choose, restore, setOutcome }: OtherBackupProps) {
  const { t } = useTranslation("failure");
  const format = useFormat();
  const texts = useBackupTexts();
  const [chosen, setChosen] = useState<readonly DesktopBackup[] | null>(null);
  const [selected, setSelected] = useState<DesktopBackup | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const question = useRef<HTMLDivElement>(null);
  const asking = useRef<HTMLElement>(null);
  useEffect(() => {
    if (selected !== null) question.current?.querySelector("button")?.focus();
  }, [selected]);
  // Focuses once per choice: the list is read again after each failed start, when the focus may be elsewhere.
  useEffect(() => {
    if (chosen !== null) list.current?.querySelector("button")?.focus();
  }, [chosen]);

  const browse = async (from: "file" | "folder") => {
    setOutcome("");
    const found = await choose(from);
    if (found.cancelled) return;
    if (found.backups.length === 0) return setOutcome(t("nothingFound"));
    setSelected(null);
    setChosen(found.backups);
  };
  const browseButton = (from: "file" | "folder") => (
    <ActButton
      size="small"
      onAct={() =>
        void browse(from).catch((error: unknown) => setOutcome(error instanceof Error ? error.message : String(error)))
      }
    >
      {t(from === "file" ? "fromFile" : "fromFolder")}
    </ActButton>
  );
  return (
    <>
      {backups.length === 0 && <p>{t("noBackups")}</p>}
      <ul ref={list}>
        {(chosen ?? backups).map((backup) => (
          <li key={backup.path}>
            <ActButton
              size="small"
              onAct={() => {
                asking.current = document.activeElement as HTMLElement | null;
                setSelected(backup);
              }}
            >
              {texts.restore(backup)}
            </ActButton>
            <small title={backup.path}>
              {[
                t(`kinds.${backup.kind}`),
                bytesText(format, backup.bytes),
                ...(backup.path === newestGood ? [t("newestGood")] : []),
              ].join(" · ")}
            </small>
          </li>
        ))}
      </ul>
      <div className="buttons">
        {browseButton("file")}
        {browseButton("folder")}
      </div>
      {selected !== null && (
        <div className="question" ref={question}>
          <p>{texts.loss(selected)}</p>
          <Confirmation
            onSure={() => restore(selected.path)}
            onCancel={() => {
              setSelected(null);
              asking.current?.focus();
            }}
          />
        </div>
      )}
    </>
  );
}
