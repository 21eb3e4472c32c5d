import type { Setting, SettingList } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { readHubConfig, settingFacts, type HubConfig, type SettingFact } from "../config.ts";
import { HubError, StartError } from "../errors.ts";
import type { Installation } from "../installation.ts";
import type { AuditLog } from "./audit-log.ts";

/** The effective settings, where each comes from, and the changing of those that a file keeps. */
export function createSettingsRoom(deps: {
  config: HubConfig;
  installation: Installation;
  changes: ChangeLog;
  audit: AuditLog;
}) {
  const { config, installation, changes, audit } = deps;
  const facts = settingFacts();
  const atStart = new Map(facts.map((fact) => [fact.name, given(fact)]));
  const fileAtStart = installation.fileSettings();

  function given({ name }: SettingFact): string | undefined {
    return config.given[name];
  }

  /** The environment set it when the hub was started: the file has another value for it, or none. */
  function isFromEnvironment({ name }: SettingFact): boolean {
    const value = atStart.get(name);
    return value !== undefined && fileAtStart[name] !== value;
  }

  function present(fact: SettingFact, file: ReturnType<Installation["fileSettings"]>): Setting {
    const isEnvironment = isFromEnvironment(fact);
    const value = isEnvironment ? atStart.get(fact.name) : file[fact.name];
    return {
      name: fact.name,
      value: fact.isSecret ? null : (value ?? fact.default),
      set: (value ?? fact.default) !== "",
      secret: fact.isSecret,
      source: isEnvironment ? "environment" : value === undefined ? "default" : "file",
      default: fact.isSecret ? null : fact.default,
      allowed: fact.allowed,
      changeable: !isEnvironment && installation.saveSettings !== null,
      needsRestart: true,
    };
  }

  function list(): SettingList {
    const file = installation.fileSettings();
    const isChanged = facts.some((fact) => !isFromEnvironment(fact) && file[fact.name] !== atStart.get(fact.name));
    return { settings: facts.map((fact) => present(fact, file)), restartNeeded: isChanged };
  }

  function requireChangeable(name: string): void {
    const setting = list().settings.find((each) => each.name === name);
    if (setting === undefined) throw new HubError("VALIDATION_ERROR", `values.${name}: there is no such setting`);
    if (setting.changeable) return;
    const reason = setting.source === "environment" ? "the environment sets it" : "it is changed where this hub is run";
    throw new HubError("VALIDATION_ERROR", `values.${name}: cannot be changed here, ${reason}`);
  }

  return {
    list,

    /** Changes the settings file, all or nothing; the hub takes the values up at its next start. */
    async change(values: Readonly<Record<string, string | null>>, userName: string): Promise<SettingList> {
      for (const [name, value] of Object.entries(values)) {
        requireChangeable(name);
        requireReadable(name, value);
      }
      requireUsable({ ...config.given, ...withoutNull(installation.fileSettings()), ...withoutNull(values) });
      const names = Object.keys(values).join(", ");
      await changes.write((tx) => {
        audit.record(tx, userName, "settings.change", names);
        const feed = { kind: "settings_changed", level: "info", detail: { userName, text: names } } as const;
        tx.emit({ kind: "notice", notice: { topics: ["settings"], feed } });
      });
      installation.saveSettings?.(values);
      return list();
    },
  };
}

/** A value that an env file cannot carry would come back as another one. */
function requireReadable(name: string, value: string | null): void {
  const isPlain = value === null || !(/[\n\r]/.test(value) || (value.includes('"') && value.includes("'")));
  if (isPlain) return;
  throw new HubError(
    "VALIDATION_ERROR",
    `values.${name}: line breaks, and both kinds of quotes at once, cannot be kept`,
  );
}

function requireUsable(env: Record<string, string>): void {
  try {
    readHubConfig(env);
  } catch (error) {
    if (error instanceof StartError) throw new HubError("VALIDATION_ERROR", `values: ${error.message}`);
    throw error;
  }
}

function withoutNull(values: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [[name, value]])));
}
