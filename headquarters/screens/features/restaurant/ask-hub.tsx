import { bytesText } from "@comanda/ui/bytes-text.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Mark } from "@comanda/ui/mark.tsx";
import { Missing } from "../../components/missing.tsx";
import { useAnswerOfHub } from "../../lib/cache.ts";
import type { AnswerOf } from "../../lib/hq.ts";

/** How many backups are shown, the newest ones. */
const BACKUPS = 5;

interface AskProps {
  id: string;
  name: string;
}

/** Buttons that ask the hub itself. The hub records who asked. */
export function AskHub({ id, name }: AskProps) {
  const { t } = useTranslation("restaurant");
  const [open, setOpen] = useState<"doctor" | "logs" | null>(null);
  const dialog = { id, name, onClose: () => setOpen(null) };
  return (
    <section className="card">
      <h2>{t("ask")}</h2>
      <p className="soft">{t("askAbout")}</p>
      <div className="stack">
        <ActButton onAct={() => setOpen("doctor")}>{t("askDoctor")}</ActButton>
        <ActButton onAct={() => setOpen("logs")}>{t("askLogs")}</ActButton>
      </div>
      {open === "doctor" && <DoctorDialog {...dialog} />}
      {open === "logs" && <LogsDialog {...dialog} />}
    </section>
  );
}

function DoctorDialog({ id, name, onClose }: AskProps & { onClose: () => void }) {
  const { t } = useTranslation("restaurant");
  const { data, error } = useAnswerOfHub("doctor", { id });
  return (
    <Dialog title={t("doctorOf", { name })} onClose={onClose}>
      {data === undefined ? <Missing error={error} /> : <Doctor doctor={data} />}
    </Dialog>
  );
}

function LogsDialog({ id, name, onClose }: AskProps & { onClose: () => void }) {
  const { t, format } = useTranslation("restaurant");
  const { data, error } = useAnswerOfHub("logs", { id });
  return (
    <Dialog title={t("logsOf", { name })} onClose={onClose}>
      {data === undefined && <Missing error={error} />}
      <ul className="lines">
        {data?.lines.toReversed().map(({ at, level, component, message, facts }, index) => (
          <li key={`${at} ${index}`}>
            <span className="soft num">{format.timeExact(at)}</span>{" "}
            {level !== "info" && level !== "debug" && (
              <Mark tone={level === "error" ? "bad" : "warn"}>{t(`level.${level}`)}</Mark>
            )}{" "}
            {component !== null && <strong>{component}</strong>} {message}{" "}
            <span className="soft log-facts">{facts === "{}" ? "" : facts}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Doctor({ doctor: { settings, dataFile, backups } }: { doctor: AnswerOf<"doctor"> }) {
  const { t, format } = useTranslation(["restaurant", "fleet"]);
  const changed = settings.settings.filter(({ source }) => source !== "default");
  const { check } = dataFile;
  return (
    <>
      <h3>{t("dataFile")}</h3>
      <ul className="lines">
        <li>{t("dataFileSize", { size: bytesText(format, dataFile.bytes + dataFile.walBytes) })}</li>
        {check !== null && (
          <li>
            <Mark tone={check.ok ? "good" : "bad"}>{t(check.ok ? "dataFileGood" : "dataFileBad")}</Mark>{" "}
            {format.dateTime(check.at)} {check.ok ? "" : check.message}
          </li>
        )}
      </ul>
      <h3>{t("backups")}</h3>
      <ul className="lines">
        {backups.backups.length === 0 && <li>{t("fleet:noBackup")}</li>}
        {backups.backups.slice(0, BACKUPS).map((backup) => (
          <li key={backup.name}>
            {format.dateTime(backup.createdAt)}, {bytesText(format, backup.bytes)}{" "}
            {backup.verified !== "unchecked" && <Mark tone={backup.verified}>{t(`verified.${backup.verified}`)}</Mark>}
          </li>
        ))}
      </ul>
      <h3>{t("changedSettings")}</h3>
      {settings.restartNeeded && <p>{t("restartNeeded")}</p>}
      <ul className="lines">
        {changed.length === 0 && <li>{t("noChangedSettings")}</li>}
        {changed.map((setting) => (
          <li key={setting.name}>
            <strong>{setting.name}</strong> {setting.secret ? t("secret") : setting.value}
          </li>
        ))}
      </ul>
    </>
  );
}
