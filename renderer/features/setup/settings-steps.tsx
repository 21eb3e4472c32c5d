import { NumberInput } from "@mantine/core";
import { HUB_NAME_MAX, RESERVATIONS_PLUGIN, type DesktopBridge } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { isThisComputer } from "../../lib/this-computer.ts";
import { FoundBackOffices } from "./found-back-offices.tsx";
import { TestResult } from "./test-result.tsx";
import type { Setup } from "./use-setup.ts";
import { CheckField, PasswordField, SwitchField, TextField } from "../../components/forms/form-fields.tsx";

export interface StepProps {
  setup: Setup;
  bridge: DesktopBridge;
}

/** Returns the note for a field whose value the environment sets. */
function useEnvironmentNote({ state }: Setup): (name: string) => string | undefined {
  const { t } = useTranslation("setup");
  return (name) => (state.fromEnvironment.includes(name) ? t("fromEnvironment", { name }) : undefined);
}

export function RestaurantStep({ setup, bridge }: StepProps) {
  const { t } = useTranslation("setup");
  const { settings, change } = setup;
  const environmentNote = useEnvironmentNote(setup);
  return (
    <>
      <h2>{t("steps.restaurant")}</h2>
      <div className="stack setup-fields">
        <TextField
          label={t("name")}
          description={environmentNote("HUB_NAME") ?? t("nameHint")}
          value={settings.hubName}
          maxLength={HUB_NAME_MAX}
          required
          onChange={(hubName) => change({ hubName })}
          onBlur={() => change({ hubName: settings.hubName.trim() })}
        />
        <NumberInput
          label={t("port")}
          description={environmentNote("HUB_HTTP_PORT") ?? t("portHint")}
          value={settings.port}
          min={1}
          max={65_535}
          allowDecimal={false}
          required
          hideControls
          onChange={(port) => {
            if (typeof port === "number") change({ port });
          }}
        />
        <TestResult
          key={settings.port}
          run={() => bridge.testSettings({ what: "port", port: settings.port })}
          onSuggestion={(port) => change({ port })}
        />
        <SwitchField
          label={t("startAtLogin")}
          description={t("startAtLoginHint")}
          checked={settings.startAtLogin}
          onChange={(startAtLogin) => change({ startAtLogin })}
        />
      </div>
    </>
  );
}

/** Adds the scheme to a typed address: people leave out `https://`. */
function withScheme(typed: string): string {
  const url = typed.trim();
  return /^[^\s/]+(\/\S*)?$/.test(url) && !url.includes("://") ? `https://${url}` : url;
}

export function BackOfficeStep({ setup, bridge }: StepProps) {
  const { t } = useTranslation(["setup", "common"]);
  const { settings, password, state } = setup;
  const { backOffice } = settings;
  const change = (part: Partial<typeof backOffice>) => setup.change({ backOffice: { ...backOffice, ...part } });
  const environmentNote = useEnvironmentNote(setup);
  const passwordHint = () => {
    if (setup.needsPassword && state.passwordSet) return t("passwordAgain");
    return state.passwordSet ? t("passwordKept") : undefined;
  };
  return (
    <>
      <h2>{t("steps.backOffice")}</h2>
      <div className="stack setup-fields">
        <TextField
          label={t("url")}
          description={environmentNote("ERP_URL") ?? t("urlHint")}
          type="url"
          pattern="[hH][tT][tT][pP][sS]?://.*"
          value={backOffice.url}
          required
          onChange={(url) => change({ url })}
          onBlur={() => change({ url: withScheme(backOffice.url) })}
        />
        {!state.fromEnvironment.includes("ERP_URL") && (
          <FoundBackOffices find={() => bridge.findBackOffices()} choose={(url) => change({ url })} />
        )}
        <TextField
          label={t("common:database")}
          description={environmentNote("ERP_DB")}
          value={backOffice.database}
          required
          onChange={(database) => change({ database })}
          onBlur={() => change({ database: backOffice.database.trim() })}
        />
        <TextField
          label={t("login")}
          description={environmentNote("ERP_USER") ?? t("loginHint")}
          value={backOffice.login}
          autoComplete="off"
          onChange={(login) => change({ login })}
        />
        <PasswordField
          label={t("common:password")}
          description={environmentNote("ERP_PASSWORD") ?? passwordHint()}
          value={password}
          required={setup.needsPassword}
          autoComplete="new-password"
          onChange={setup.setPassword}
        />
        <TestResult
          key={JSON.stringify([backOffice, password])}
          unreachableHint={t(isThisComputer(backOffice.url) ? "unreachableHere" : "unreachableThere")}
          run={() =>
            bridge.testSettings({
              what: "back_office",
              url: backOffice.url,
              database: backOffice.database,
              login: backOffice.login,
              ...(password === "" ? {} : { password }),
            })
          }
        />
      </div>
    </>
  );
}

export function PluginStep({ setup }: Pick<StepProps, "setup">) {
  const { t } = useTranslation("setup");
  const { plugins } = setup.settings;
  const reservations = plugins.includes(RESERVATIONS_PLUGIN);
  const [others, setOthers] = useState(() => plugins.filter((id) => id !== RESERVATIONS_PLUGIN).join(", "));

  function change(withReservations: boolean, otherIds: string) {
    const ids = otherIds
      .split(",")
      .map((id) => id.trim().toLowerCase())
      .filter((id) => /^[a-z0-9-]{1,64}$/.test(id) && id !== RESERVATIONS_PLUGIN);
    setup.change({ plugins: [...(withReservations ? [RESERVATIONS_PLUGIN] : []), ...new Set(ids)] });
  }

  return (
    <>
      <h2>{t("plugins")}</h2>
      <p className="soft setup-intro">{t("pluginsAbout")}</p>
      <div className="stack setup-fields">
        <CheckField label={t("pluginReservations")} checked={reservations} onChange={(isOn) => change(isOn, others)} />
        <TextField
          label={t("pluginOther")}
          value={others}
          onChange={(next) => {
            setOthers(next);
            change(reservations, next);
          }}
        />
      </div>
    </>
  );
}
