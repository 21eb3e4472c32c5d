import { parseEnv } from "node:util";
import { accountSettings, type Setting } from "@comanda/protocol";
import { isSameAccount, readHubConfig, settingFacts } from "./config.ts";
import { HubError, StartError } from "../platform/errors.ts";

type Values = Readonly<Record<string, string | undefined>>;
type Change = Readonly<Record<string, string | null>>;

/** What settings are made of: what the environment says wins over what the file says. */
export interface SettingSources {
  environment: Values;
  file: Values;
}

/** Every setting with its effective value and where it comes from. `canSave`: there is a file to change. */
export function presentSettings({ environment, file }: SettingSources, canSave: boolean): Setting[] {
  return settingFacts().map((fact) => {
    const isEnvironment = environment[fact.name] !== undefined;
    const value = environment[fact.name] ?? file[fact.name];
    return {
      name: fact.name,
      value: fact.isSecret ? null : (value ?? fact.default),
      set: (value ?? fact.default) !== "",
      secret: fact.isSecret,
      source: isEnvironment ? "environment" : value === undefined ? "default" : "file",
      default: fact.isSecret ? null : fact.default,
      allowed: fact.allowed,
      changeable: !isEnvironment && canSave,
      localOnly: fact.isLocalOnly,
      needsRestart: true,
    };
  });
}

/** What a change of the settings file may be: `canSave`, there is one to change; `isRemote`, asked for over the network. */
interface Circumstances {
  canSave: boolean;
  isRemote: boolean;
}

/**
 * Refuses a change of the settings file that must not be saved, with VALIDATION_ERROR: a setting that is fixed elsewhere,
 * a value that the hub could not start with, or one that would send the kept password to another place.
 */
export function requireAllowedChange(
  values: Change,
  sources: SettingSources,
  { canSave, isRemote }: Circumstances,
): void {
  const settings = new Map(presentSettings(sources, canSave).map((setting) => [setting.name, setting]));
  for (const [name, value] of Object.entries(values)) {
    const setting = settings.get(name);
    if (setting === undefined) throw refusal(name, "there is no such setting");
    if (isRemote && setting.localOnly) {
      throw refusal(name, "cannot be changed over the network, only on the hub's own computer");
    }
    if (setting.source === "environment") throw refusal(name, "cannot be changed here, the environment sets it");
    if (!setting.changeable) throw refusal(name, "cannot be changed here, it is changed where this hub is run");
    if (!isKeepable(value)) throw refusal(name, "line breaks, and both kinds of quotes at once, cannot be kept");
  }
  const before = effective(sources.file, sources.environment);
  const after = effective({ ...sources.file, ...values }, sources.environment);
  requireUsable(after);
  requirePassword(values, before, after);
}

/** The password that is kept was given for one back-office and one user: it never goes to another by itself. */
function requirePassword(values: Change, before: Values, after: Values): void {
  if (Object.hasOwn(values, "ERP_PASSWORD") || isSameAccount(before, after)) return;
  throw refusal("ERP_PASSWORD", `has to be given again when ${accountSettings.join(", ")} change`);
}

function requireUsable(env: Values): void {
  try {
    readHubConfig(env);
  } catch (error) {
    if (error instanceof StartError) throw new HubError("VALIDATION_ERROR", `values: ${error.message}`);
    throw error;
  }
}

/** A value that an env file cannot carry would come back as another one. */
function isKeepable(value: string | null): boolean {
  return value === null || (!/[\n\r\0]/.test(value) && parseEnv(`X=${quoteEnvValue(value)}`)["X"] === value);
}

/** A value as a line of an env file takes it. Quotes are only for what would not be read back as it is. */
export function quoteEnvValue(value: string): string {
  if (/^[\w@:/.,+-]*$/.test(value)) return value;
  // Between double quotes `\n` would become a line break.
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}

function effective(
  file: Readonly<Record<string, string | null | undefined>>,
  environment: Values,
): Record<string, string> {
  const entries = Object.entries({ ...file, ...environment });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value == null ? [] : [[name, value]])));
}

function refusal(name: string, reason: string): HubError {
  return new HubError("VALIDATION_ERROR", `values.${name}: ${reason}`);
}
