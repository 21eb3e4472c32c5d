import { hasCredentials, settingNames, settingRow, type Setting } from "@comanda/protocol";
import { explainedError, StartError } from "../platform/errors.ts";
import { defaultOf, isSameAccount, readHubConfig } from "./config.ts";
import { fitsEnvFile, type EnvValues } from "./env-file.ts";

type Change = Readonly<Record<string, string | null>>;

/** Where settings come from. The environment overrides the file. */
export interface SettingSources {
  environment: EnvValues;
  file: EnvValues;
}

/** Returns every setting with its effective value and source. `canSave`: there is a file to change. */
export function presentSettings({ environment, file }: SettingSources, canSave: boolean): Setting[] {
  return settingNames.map((name) => {
    const { allowed, isSecret = false, isLocalOnly = false, isLive = false, mayBeEmpty = false } = settingRow(name);
    const isEnvironment = environment[name] !== undefined;
    const configured = environment[name] ?? file[name];
    // `readHubConfig` treats an empty value as missing.
    const value = configured === "" && !mayBeEmpty ? undefined : configured;
    return {
      name,
      value: isSecret ? null : (value ?? defaultOf(name)),
      set: (value ?? defaultOf(name)) !== "",
      secret: isSecret,
      source: isEnvironment ? "environment" : value === undefined ? "default" : "file",
      default: isSecret ? null : defaultOf(name),
      allowed,
      changeable: !isEnvironment && canSave,
      localOnly: isLocalOnly,
      needsRestart: !isLive,
    };
  });
}

/**
 * Throws VALIDATION_ERROR if a change of the settings file sets a fixed setting, makes a start impossible, or would send the
 * saved password elsewhere. `canSave`: there is a file to change. `isRemote`: the change comes over the network.
 */
export function requireAllowedChange(
  values: Change,
  sources: SettingSources,
  { canSave, isRemote }: { canSave: boolean; isRemote: boolean },
): void {
  const settings = new Map<string, Setting>(
    presentSettings(sources, canSave).map((setting) => [setting.name, setting]),
  );
  for (const [name, value] of Object.entries(values)) {
    const setting = settings.get(name);
    if (setting === undefined) throw explainedError("VALIDATION_ERROR", "setting_unknown", { setting: name });
    if (isRemote && setting.localOnly) {
      throw explainedError("VALIDATION_ERROR", "setting_local_only", { setting: name });
    }
    if (setting.source === "environment")
      throw explainedError("VALIDATION_ERROR", "setting_of_environment", { setting: name });
    if (!setting.changeable) throw explainedError("VALIDATION_ERROR", "setting_not_changeable", { setting: name });
    if (name === "ERP_URL" && value !== null && hasCredentials(value)) {
      throw explainedError("VALIDATION_ERROR", "setting_address_credentials", { setting: name });
    }
    if (value !== null && !fitsEnvFile(value)) {
      throw explainedError("VALIDATION_ERROR", "setting_unwritable", { setting: name });
    }
  }
  const before = effective(sources.file, sources.environment);
  const after = effective({ ...sources.file, ...values }, sources.environment);
  requireUsable(after);
  requirePassword(values, before, after);
}

/** Throws if the account changes without a new password: the saved one is never sent to another account. */
function requirePassword(values: Change, before: EnvValues, after: EnvValues): void {
  const isStored = (before["ERP_PASSWORD"] ?? "") !== "";
  if (!isStored || Object.hasOwn(values, "ERP_PASSWORD") || isSameAccount(before, after)) return;
  throw explainedError("VALIDATION_ERROR", "setting_password_needed", { setting: "ERP_PASSWORD" });
}

function requireUsable(env: EnvValues): void {
  try {
    readHubConfig(env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const refusal = explainedError("VALIDATION_ERROR", "setting_invalid", { problem: error.message });
    if (error.said !== undefined) refusal.explanation = error.said;
    throw refusal;
  }
}

function effective(
  file: Readonly<Record<string, string | null | undefined>>,
  environment: EnvValues,
): Record<string, string> {
  const entries = Object.entries({ ...file, ...environment });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value == null ? [] : [[name, value]])));
}
