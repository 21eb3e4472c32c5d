import { Button, SegmentedControl } from "@mantine/core";
import type { DesktopBridge } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StatusMark } from "../../components/status-mark.tsx";
import type { Setup } from "./use-setup.ts";

export function LanguageStep({ setup, bridge }: { setup: Setup; bridge: DesktopBridge }) {
  const { t, i18n } = useTranslation("setup");
  const { backupsFound } = setup.state;
  return (
    <>
      <h2>{t("welcome")}</h2>
      <p className="soft setup-intro">{t("welcomeAbout")}</p>
      <div className="setup-fields">
        <SegmentedControl
          size="md"
          aria-label={t("language")}
          value={i18n.language}
          data={[
            { value: "es", label: t("spanish") },
            { value: "en", label: t("english") },
          ]}
          onChange={(value) => {
            const language = value === "en" ? "en" : "es";
            void i18n.changeLanguage(language);
            void bridge.setLanguage(language);
            setup.change({ language });
          }}
        />
        {backupsFound > 0 && <Restore bridge={bridge} backupsFound={backupsFound} />}
      </div>
    </>
  );
}

/** For a new PC after the old one died: restores the newest backup. */
function Restore({ bridge, backupsFound }: { bridge: DesktopBridge; backupsFound: number }) {
  const { t } = useTranslation("setup");
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ ok: boolean; text: string } | null>(null);

  async function restore() {
    setBusy(true);
    const answer = await bridge.restoreNewestBackup();
    setBusy(false);
    setResult({ ok: answer.ok, text: answer.ok ? t("restored") : answer.error });
  }

  return (
    <div>
      <p>
        {t("restoreAbout", { count: backupsFound })} <span className="soft">{t("restoreNote")}</span>
      </p>
      <Button variant="default" loading={busy} onClick={() => void restore()}>
        {t("restore")}
      </Button>
      <div role="status">
        {result !== null && <StatusMark tone={result.ok ? "good" : "bad"}>{result.text}</StatusMark>}
      </div>
    </div>
  );
}
