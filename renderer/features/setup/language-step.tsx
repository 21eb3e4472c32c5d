import { Radio, SegmentedControl, Stack } from "@mantine/core";
import type { DesktopBridge } from "@comanda/protocol";
import { languageNames } from "@comanda/ui/language-names.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { chooseLanguage } from "../../lib/choose-language.ts";
import { RestoreFirst } from "./restore-first.tsx";
import type { Setup } from "./use-setup.ts";

export function LanguageStep({ setup, bridge }: { setup: Setup; bridge: DesktopBridge }) {
  const { t, language } = useTranslation(["setup", "shell"]);
  const { backupsFound, configured } = setup.state;
  return (
    <>
      <h2>{t("welcome")}</h2>
      <p className="soft setup-intro">{t("welcomeAbout")}</p>
      <div className="stack setup-fields">
        <SegmentedControl
          size="md"
          aria-label={t("shell:language")}
          value={language}
          data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
          onChange={(value) => {
            const chosen = value === "en" ? "en" : "es";
            chooseLanguage(chosen);
            setup.change({ language: chosen });
          }}
        />
        <Radio.Group
          label={t("role")}
          value={setup.role}
          onChange={(role) => setup.setRole(role === "terminal" ? "terminal" : "hub")}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="hub" label={t("roleHub")} description={t("roleHubAbout")} />
            <Radio value="terminal" label={t("roleTerminal")} description={t("roleTerminalAbout")} />
          </Stack>
        </Radio.Group>
        {configured && setup.role === "terminal" && <p role="status">{t("roleHubStops")}</p>}
        {!configured && setup.role === "hub" && <RestoreFirst bridge={bridge} backupsFound={backupsFound} />}
      </div>
    </>
  );
}
