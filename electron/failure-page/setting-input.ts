/// <reference lib="dom" />
// One setting as a field, asked for as a person would say it: in seconds or hours, by yes or no.
import type { DesktopHubSetting, Language } from "@comanda/protocol";
import { durationUnits, joinDuration, splitDuration, type DurationUnit } from "@comanda/protocol/durations.ts";
import { words } from "./words.ts";

const locales: Record<Language, string> = { es: "es-DO", en: "en-US" };

export interface SettingField {
  /** What the label is for. */
  control: HTMLInputElement | HTMLSelectElement;
  /** The control, and what stands beside it. */
  elements: readonly HTMLElement[];
  /** The value as the environment would set it; one that cannot be read as typed stays as it is. */
  read: () => string;
}

/** The field of a setting with its present value, also when the hub does not accept that. */
export function createField(setting: DesktopHubSetting, language: Language): SettingField {
  const text = words[language];
  const { input, secret } = setting;
  const value = setting.value ?? "";
  if (input.kind === "duration") return durationField(setting, language);
  if (input.kind === "flag") return choiceField(flagOf(value), { true: text.setting.yes, false: text.setting.no });
  if (input.kind === "choice") {
    const labels: Readonly<Record<string, string>> = text.logLevels;
    return choiceField(value, Object.fromEntries(input.options.map((option) => [option, labels[option] ?? option])));
  }
  const control = textInput(value, input.kind === "number" || input.kind === "port" || input.kind === "days");
  if (secret) control.type = "password";
  const unit =
    input.kind === "days" ? [Object.assign(document.createElement("span"), { textContent: text.units.days })] : [];
  return { control, elements: [control, ...unit], read: () => control.value.trim() };
}

/** What a value must be, in words; an empty text where anything goes. */
export function hintOf({ name, input, secret, changeable }: DesktopHubSetting, language: Language): string {
  const text = words[language].setting;
  if (!changeable) return text.fixed;
  if (secret) return text.password;
  if (name === "HUB_TIME_ZONE") return text.timeZone;
  if (input.kind === "address" || input.kind === "list") return text[input.kind];
  if (!("min" in input)) return "";
  const say = (amount: number) => amountText(amount, input.kind, language);
  return text.range.replace("{{min}}", say(input.min)).replace("{{max}}", say(input.max));
}

/** Whether the hub accepts a value, as far as its bounds tell. */
export function isWithin({ input }: DesktopHubSetting, value: string): boolean {
  if (!("min" in input) || value === "") return true;
  return /^\d+$/.test(value) && Number(value) >= input.min && Number(value) <= input.max;
}

function durationField({ value }: DesktopHubSetting, language: Language): SettingField {
  const text = words[language];
  const typed = value ?? "";
  const { amount, unit } = isNumber(typed) ? splitDuration(Number(typed)) : { amount: typed, unit: "seconds" };
  const control = textInput(String(amount), true);
  const units = select(unit, Object.fromEntries(durationUnits.map((each) => [each, text.units[each]])));
  units.setAttribute("aria-label", text.setting.unit);
  const read = () => {
    const now = control.value.trim();
    return isNumber(now) ? String(joinDuration(Number(now), units.value as DurationUnit)) : now;
  };
  return { control, elements: [control, units], read };
}

function choiceField(value: string, labels: Readonly<Record<string, string>>): SettingField {
  const control = select(value, labels);
  return { control, elements: [control], read: () => control.value };
}

function textInput(value: string, isNumeric: boolean): HTMLInputElement {
  const input = document.createElement("input");
  input.type = "text";
  input.autocomplete = "off";
  input.value = value;
  if (isNumeric) {
    input.inputMode = "decimal";
    input.size = 12;
  }
  return input;
}

/** A value that is none of the choices is shown as it is, until another is chosen. */
function select(value: string, labels: Readonly<Record<string, string>>): HTMLSelectElement {
  const options = Object.hasOwn(labels, value) ? labels : { [value]: value, ...labels };
  const created = document.createElement("select");
  created.append(...Object.entries(options).map(([each, label]) => new Option(label, each, false, each === value)));
  return created;
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}

/** The hub takes several words for a switch. */
function flagOf(value: string): string {
  if (/^(true|1|yes|on|y|enabled)$/i.test(value)) return "true";
  return /^(false|0|no|off|n|disabled)$/i.test(value) ? "false" : value;
}

function amountText(amount: number, kind: string, language: Language): string {
  const { units } = words[language];
  const format = (value: number) => value.toLocaleString(locales[language]);
  if (kind === "port") return String(amount);
  if (kind === "days") return `${format(amount)} ${units.days}`;
  if (kind !== "duration") return format(amount);
  const { amount: count, unit } = splitDuration(amount);
  return `${format(count)} ${units[unit]}`;
}
