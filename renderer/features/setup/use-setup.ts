import {
  DesktopSettings,
  type DesktopBridge,
  type DesktopRole,
  type DesktopSettingsState,
  type SaveDesktopSettings,
} from "@comanda/protocol";
import { useEffect, useState } from "react";

const DRAFT = "comanda-draft-setup";

/** What was entered in the wizard; it survives a reload, except the password, which is asked for again. Null until the app's settings are read. */
export function useSetup(bridge: DesktopBridge) {
  const [state, setState] = useState<DesktopSettingsState | null>(null);
  const [settings, setSettings] = useState<DesktopSettings | null>(null);
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<DesktopRole>("hub");

  useEffect(() => {
    void bridge.getSettings().then((known) => {
      setState(known);
      setSettings(readDraft() ?? known.settings);
    });
  }, [bridge]);

  if (state === null || settings === null) return null;
  return {
    state,
    settings,
    password,
    setPassword,
    /** What this PC is to be; asked in the first step. */
    role,
    setRole,
    /** None is saved for the user, or it is for another address, database or user than these: it has to be typed. */
    needsPassword: state.passwordSet
      ? isOtherAccount(state.settings.backOffice, settings.backOffice)
      : settings.backOffice.login !== "" && !state.fromEnvironment.includes("ERP_PASSWORD"),
    change(part: Partial<DesktopSettings>) {
      const next = { ...settings, ...part };
      setSettings(next);
      sessionStorage.setItem(DRAFT, JSON.stringify(next));
    },
    /** What to save: the password only when one was typed. */
    toSave: (): SaveDesktopSettings => (password === "" ? settings : { ...settings, password }),
    forgetDraft: () => sessionStorage.removeItem(DRAFT),
  };
}

export type Setup = NonNullable<ReturnType<typeof useSetup>>;

function isOtherAccount(saved: DesktopSettings["backOffice"], entered: DesktopSettings["backOffice"]): boolean {
  return saved.url !== entered.url || saved.database !== entered.database || saved.login !== entered.login;
}

function readDraft(): DesktopSettings | null {
  try {
    const draft = DesktopSettings.safeParse(JSON.parse(sessionStorage.getItem(DRAFT) ?? "null"));
    return draft.success ? draft.data : null;
  } catch {
    return null;
  }
}
