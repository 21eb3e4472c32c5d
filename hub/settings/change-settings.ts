import { accountSettings, settingNames, settingRow, type Setting } from "@comanda/protocol";
import { HubError, StartError } from "../platform/errors.ts";
import { defaultOf, isSameAccount, readHubConfig } from "./config.ts";
import { fitsEnvFile, type EnvValues } from "./env-file.ts";

type Change = Readonly<Record<string, string | null>>;

/** Where settings come from: the environment wins over the file. */
export interface SettingSources {
  environment: EnvValues;
  file: EnvValues;
}

/** Every setting with its effective value and where it comes from. `canSave`: there is a file to change. */
export function presentSettings({ environment, file }: SettingSources, canSave: boolean): Setting[] {
  return settingNames.map((name) => {
    const { allowed, isSecret = false, isLocalOnly = false } = settingRow(name);
    const isEnvironment = environment[name] !== undefined;
    const value = environment[name] ?? file[name];
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
      // Settings are read once, at the start.
      needsRestart: true,
    };
  });
}

/**
 * Refuses a change of the settings file with VALIDATION_ERROR: a setting that is fixed elsewhere, a value that the hub
 * could not start with, or one that would send the saved password to another place. `canSave`: there is a file to change;
 * `isRemote`: the change comes over the network.
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
    if (setting === undefined) throw refusal(name, "there is no such setting");
    if (isRemote && setting.localOnly) {
      throw refusal(name, "cannot be changed over the network, only on the hub's own computer");
    }
    if (setting.source === "environment") throw refusal(name, "cannot be changed here, the environment sets it");
    if (!setting.changeable) throw refusal(name, "cannot be changed here, it is changed where this hub is run");
    if (value !== null && !fitsEnvFile(value)) {
      throw refusal(name, "line breaks, and all kinds of quotes at once, cannot be kept");
    }
  }
  const before = effective(sources.file, sources.environment);
  const after = effective({ ...sources.file, ...values }, sources.environment);
  requireUsable(after);
  requirePassword(values, before, after);
}

/** The saved password belongs to one back-office and one user: it is never sent to another. */
function requirePassword(values: Change, before: EnvValues, after: EnvValues): void {
  if (Object.hasOwn(values, "ERP_PASSWORD") || isSameAccount(before, after)) return;
  throw refusal("ERP_PASSWORD", `has to be given again when ${accountSettings.join(", ")} change`);
}

function requireUsable(env: EnvValues): void {
  try {
    readHubConfig(env);
  } catch (error) {
    if (error instanceof StartError) throw new HubError("VALIDATION_ERROR", `values: ${error.message}`);
    throw error;
  }
}

function effective(
  file: Readonly<Record<string, string | null | undefined>>,
  environment: EnvValues,
): Record<string, string> {
  const entries = Object.entries({ ...file, ...environment });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value == null ? [] : [[name, value]])));
}

function refusal(name: string, reason: string): HubError {
  return new HubError("VALIDATION_ERROR", `values.${name}: ${reason}`);
}
