import type { DesktopBackups, DesktopBridge, DesktopHubSetting, DesktopSettingsState } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { createFormat, FormatContext } from "@comanda/ui/format.ts";
import { changeLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useMemo, useState } from "react";
import { helpedByBackup, type Failure } from "./failure.ts";
import { SettingForm } from "./setting-form.tsx";
import { useOutcome } from "./use-outcome.ts";
import { RecoveryOptions } from "./recovery-options.tsx";

/** Everything shown: why the hub failed (null while it starts), and the data that the ways out need. */
interface Shown {
  failure: Failure | null;
  saved: DesktopSettingsState;
  settings: DesktopHubSetting[];
  backups: DesktopBackups;
}

const noBackups: DesktopBackups = { backups: [], newestGood: null };

export function FailurePage({ desktop }: { desktop: DesktopBridge }) {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let newest = 0;
    const show = async (hub: Awaited<ReturnType<DesktopBridge["getHubState"]>>) => {
      const reading = (newest += 1);
      const failure = hub.state === "failed" ? hub : null;
      const [saved, settings, backups] = await Promise.all([
        desktop.getSettings(),
        failure === null ? [] : desktop.getHubSettings(),
        // An unreadable backup folder must not hide the other ways out.
        failure !== null && helpedByBackup.has(failure.reason)
          ? desktop.getBackups().catch(() => noBackups)
          : noBackups,
      ]);
      // A newer state may have arrived in the meantime.
      if (reading !== newest) return;
      await changeLanguage(saved.settings.language);
      setShown({ failure, saved, settings, backups });
    };
    void desktop.getHubState().then(show);
    return desktop.onHubState((hub) => void show(hub));
  }, [desktop]);

  const { t, language } = useTranslation("failure");
  const format = useMemo(() => createFormat(language), [language]);
  if (shown === null) return null;
  const { failure } = shown;
  return (
    <FormatContext value={format}>
      <p className="brand">Comanda Hub</p>
      {failure === null ? (
        <h1 aria-live="polite">{t("starting")}</h1>
      ) : (
        // If an attempt did not help, the hub fails in the same way again. Selections and input then stay.
        <Failed key={JSON.stringify(failure)} desktop={desktop} {...shown} failure={failure} />
      )}
    </FormatContext>
  );
}

function Failed({ desktop, failure, saved, settings, backups }: Shown & { desktop: DesktopBridge; failure: Failure }) {
  const { t, language } = useTranslation("failure");
  const { outcome, isBusy, run, setOutcome } = useOutcome();
  const { reason, heldBy, error } = failure;
  const [isFormOpen, setFormOpen] = useState(reason === "setting" || reason === "backup_folder");
  const [isFormRequested, setFormRequested] = useState(false);
  // If the page's own texts say what to do, the hub's command line sentence is only a detail.
  const hasOwnOptions = helpedByBackup.has(reason) || reason === "restore_unfinished";

  const saveDiagnostics = async () => {
    const file = await desktop.saveDiagnostics();
    return file === null ? "" : t("saved", { file });
  };
  const other = language === "es" ? "en" : "es";
  const changeLanguageTo = async () => {
    await desktop.setLanguage(other);
    await changeLanguage(other);
  };
  const saveSettings = async (values: Record<string, string | null>) => {
    const result = await desktop.changeHubSettings(values);
    return result.ok ? desktop.restartHub() : `${t("settingsRefused")} (${result.error})`;
  };
  const more = (text: string, act: () => Promise<unknown>, lang?: string) => (
    <ActButton size="small" lang={lang} onAct={() => run(act)}>
      {text}
    </ActButton>
  );
  return (
    <fieldset className="page" disabled={isBusy}>
      <h1 aria-live="polite">
        {reason === "port_in_use" && heldBy !== undefined ? t("portHeldBy", { holder: heldBy }) : t(`title.${reason}`)}
      </h1>
      <p>{t(`meaning.${reason}`)}</p>
      <output className="outcome">{outcome}</output>
      <RecoveryOptions
        desktop={desktop}
        failure={failure}
        saved={saved}
        backups={backups}
        run={run}
        setOutcome={setOutcome}
      />
      {isFormOpen && (
        <SettingForm
          settings={settings}
          invalid={failure.settings}
          isFocused={isFormRequested}
          onSave={(values) => run(() => saveSettings(values))}
        />
      )}
      <details open={!hasOwnOptions}>
        <summary>{t("details")}</summary>
        <p id="error" className="said">
          {error}
        </p>
      </details>
      <div className="more">
        {!isFormOpen && (
          <ActButton
            size="small"
            onAct={() => {
              setFormRequested(true);
              setFormOpen(true);
            }}
          >
            {t("openSettings")}
          </ActButton>
        )}
        {reason.startsWith("data_file") && more(t("openData"), desktop.openDataFolder)}
        {more(t("openLogs"), desktop.openLogs)}
        {more(t("saveDiagnostics"), saveDiagnostics)}
        {more(t("otherLanguage"), changeLanguageTo, other)}
        {more(t("quit"), desktop.quit)}
      </div>
    </fieldset>
  );
}
