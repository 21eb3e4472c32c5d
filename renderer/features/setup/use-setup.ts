import type {
  DesktopBridge,
  DesktopRole,
  DesktopSettings,
  DesktopSettingsState,
  SaveDesktopSettings,
} from "@comanda/protocol";
import { useEffect, useState } from "react";
import { createSetupDraft } from "./setup-draft.ts";

const draft = createSetupDraft({ page: sessionStorage, browser: localStorage });

/**
 * Holds the wizard's input. It survives a reload and the end of the app, except the password, which is asked for again. Null
 * until the app's settings are read.
 */
export function useSetup(bridge: DesktopBridge) {
  const [state, setState] = useState<DesktopSettingsState | null>(null);
  const [settings, setSettings] = useState<DesktopSettings | null>(null);
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<DesktopRole>("hub");

  useEffect(() => {
    void bridge.getSettings().then((loaded) => {
      setState(loaded);
      setSettings(draft.read(loaded.settings) ?? loaded.settings);
    });
  }, [bridge]);

  if (state === null || settings === null) return null;
  return {
    state,
    settings,
    password,
    setPassword,
    /** The role of this PC, chosen in the first step. */
    role,
    setRole,
    /** The password has to be typed: none is saved, or the saved one is for another address, database or user. */
    needsPassword: state.passwordSet
      ? isOtherAccount(state.settings.backOffice, settings.backOffice)
      : settings.backOffice.login !== "" && !state.fromEnvironment.includes("ERP_PASSWORD"),
    change(part: Partial<DesktopSettings>) {
      const next = { ...settings, ...part };
      setSettings(next);
      draft.write(state.settings, next);
    },
    /** Returns what to save. Contains the password only if one was typed. */
    toSave: (): SaveDesktopSettings => (password === "" ? settings : { ...settings, password }),
    forgetDraft: draft.forget,
  };
}

export type Setup = NonNullable<ReturnType<typeof useSetup>>;

function isOtherAccount(saved: DesktopSettings["backOffice"], entered: DesktopSettings["backOffice"]): boolean {
  return saved.url !== entered.url || saved.database !== entered.database || saved.login !== entered.login;
}
