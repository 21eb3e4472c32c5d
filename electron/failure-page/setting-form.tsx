import type { DesktopHubSetting } from "@comanda/protocol";
import { durationUnits, joinDuration, splitDuration, type DurationUnit } from "@comanda/protocol/durations.ts";
import { settingTexts } from "@comanda/protocol/setting-texts.ts";
import { useSettingHint } from "@comanda/ui/setting-hints.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useRef, useState, type ComponentProps } from "react";
import { isWithin } from "./is-within.ts";

interface SettingFormProps {
  settings: readonly DesktopHubSetting[];
  /** Names of the saved settings that the hub rejects. */
  invalid: readonly string[];
  /** Whether a person has just opened the form. */
  isFocused: boolean;
  onSave: (changed: Record<string, string | null>) => void;
}

/** Shows the hub's saved settings, invalid ones first: a bad one can always be corrected. */
export function SettingForm({ settings, invalid, isFocused, onSave }: SettingFormProps) {
  const { t } = useTranslation("failure");
  const [refused, setRefused] = useState(invalid);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isFocused) form.current?.querySelector("input")?.focus();
  }, [isFocused]);
  const isInvalid = ({ name }: DesktopHubSetting) => invalid.includes(name);
  const rows = settings
    .filter((setting) => isInvalid(setting) || (setting.source === "file" && setting.changeable))
    .toSorted((a, b) => Number(isInvalid(b)) - Number(isInvalid(a)));

  function save(formData: FormData): void {
    const typed = rows
      .filter(({ changeable }) => changeable)
      .map((setting) => ({ setting, value: readFrom(formData, setting) }));
    const outside = typed.filter(({ setting, value }) => !isWithin(setting, value)).map(({ setting }) => setting.name);
    setRefused(outside);
    const [first] = outside;
    if (first !== undefined) return document.getElementById(idOf(first))?.focus();
    const changed = typed.filter(({ setting, value }) => value !== written(startOf(setting)));
    onSave(Object.fromEntries(changed.map(({ setting, value }) => [setting.name, value || null])));
  }
  return (
    <form
      ref={form}
      className="settings"
      onSubmit={(event) => {
        event.preventDefault();
        save(new FormData(event.currentTarget));
      }}
    >
      {rows.map((setting) => (
        <SettingRow key={setting.name} setting={setting} isRefused={refused.includes(setting.name)} />
      ))}
      <button type="submit" className="act" data-kind="main">
        {t("saveSettings")}
      </button>
    </form>
  );
}

/** Shows the setting's purpose, its value, what is allowed, and its variable in small print. */
function SettingRow({ setting, isRefused }: { setting: DesktopHubSetting; isRefused: boolean }) {
  const { t, language } = useTranslation(["setting", "failure"]);
  const hintOf = useSettingHint();
  const { name, input, secret, changeable } = setting;
  const allowed = !changeable ? t("failure:fixed") : secret ? t("failure:password") : (hintOf(name, input) ?? "");
  const { text, unit } = startOf(setting);
  const control = {
    id: idOf(name),
    name,
    className: "input",
    defaultValue: text,
    disabled: !changeable,
    "aria-describedby": `${idOf(name)}-hint`,
    ...(isRefused && { "aria-invalid": true as const }),
  };
  const isNumber = ["number", "port", "days", "duration", "money"].includes(input.kind);
  return (
    <div className="setting">
      <label htmlFor={control.id}>{settingTexts[language][name]}</label>
      <div className="value">
        {input.kind === "flag" ? (
          <Choice {...control} options={{ true: t("failure:yes"), false: t("failure:no") }} />
        ) : input.kind === "choice" ? (
          <Choice
            {...control}
            options={Object.fromEntries(input.options.map((each) => [each, t(`logLevel.${each as "info"}`)]))}
          />
        ) : (
          <input
            {...control}
            type={secret ? "password" : "text"}
            autoComplete="off"
            {...(isNumber && { inputMode: "decimal", size: 12 })}
          />
        )}
        {input.kind === "days" && <span>{t("units.days")}</span>}
        {unit !== undefined && (
          <Choice
            name={unitOf(name)}
            className="input"
            defaultValue={unit}
            disabled={!changeable}
            aria-label={t("unit")}
            options={Object.fromEntries(durationUnits.map((each) => [each, t(`units.${each}`)]))}
          />
        )}
      </div>
      <small id={control["aria-describedby"]}>{isRefused ? t("notAccepted", { hint: allowed }).trim() : allowed}</small>
      <small className="variable">{name}</small>
    </div>
  );
}

/** Shows a value that is not among the options unchanged, until another is chosen. */
function Choice({ options, ...rest }: ComponentProps<"select"> & { defaultValue: string; options: object }) {
  const all = {
    ...(Object.hasOwn(options, rest.defaultValue) ? {} : { [rest.defaultValue]: rest.defaultValue }),
    ...options,
  };
  return (
    <select {...rest}>
      {Object.entries(all).map(([value, label]) => (
        <option key={value} value={value}>
          {String(label)}
        </option>
      ))}
    </select>
  );
}

const idOf = (name: string): string => `setting-${name}`;
const unitOf = (name: string): string => `${name} unit`;

interface Typed {
  text: string;
  unit?: DurationUnit;
}

/** Returns a setting's saved value for its field, even if the hub rejects it. */
function startOf({ input, value }: DesktopHubSetting): Typed {
  const text = value ?? "";
  if (input.kind === "flag") return { text: flagOf(text) };
  if (input.kind !== "duration") return { text };
  if (!isNumber(text)) return { text, unit: "seconds" };
  const { amount, unit } = splitDuration(Number(text));
  return { text: String(amount), unit };
}

function readFrom(formData: FormData, { name }: DesktopHubSetting): string {
  const field = formData.get(name);
  const text = typeof field === "string" ? field.trim() : "";
  const unit = durationUnits.find((each) => each === formData.get(unitOf(name)));
  return written(unit === undefined ? { text } : { text, unit });
}

/** Returns the value as it is written in the environment. A value that cannot be parsed stays as typed. */
function written({ text, unit }: Typed): string {
  return unit !== undefined && isNumber(text) ? String(joinDuration(Number(text), unit)) : text;
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}

/** Normalizes the words that the hub accepts for a switch. */
function flagOf(value: string): string {
  if (/^(true|1|yes|on|y|enabled)$/i.test(value)) return "true";
  return /^(false|0|no|off|n|disabled)$/i.test(value) ? "false" : value;
}
