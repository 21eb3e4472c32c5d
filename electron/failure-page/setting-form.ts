/// <reference lib="dom" />
// The hub's settings as fields of the built-in page, so that a bad saved setting can always be corrected.
import type { DesktopHubSetting, Language } from "@comanda/protocol";
import { settingTexts } from "@comanda/protocol/setting-texts.ts";
import { group } from "./dom.ts";
import { createField, hintOf, isWithin, type SettingField } from "./setting-input.ts";
import { words } from "./words.ts";

interface Row {
  setting: DesktopHubSetting;
  field: SettingField;
  /** Its value before anybody changed it. */
  before: string;
  hint: HTMLElement;
}

/** Fills `form` with the hub's saved settings, invalid ones first; `save` gets the changed values. */
export function fillSettingForm(
  form: HTMLFormElement,
  settings: readonly DesktopHubSetting[],
  invalid: readonly string[],
  language: Language,
  save: (values: Record<string, string | null>) => void,
): void {
  const isInvalid = ({ name }: DesktopHubSetting) => invalid.includes(name);
  const rows = settings
    .filter((setting) => isInvalid(setting) || (setting.source === "file" && setting.changeable))
    .sort((a, b) => Number(isInvalid(b)) - Number(isInvalid(a)))
    .map((setting) => createRow(setting, language));
  const submit = document.createElement("button");
  submit.type = "submit";
  submit.textContent = words[language].saveSettings;
  form.replaceChildren(...rows.map((row) => present(row, language)), submit);
  for (const row of rows) if (isInvalid(row.setting)) mark(row, true, language);
  form.onsubmit = (event) => {
    event.preventDefault();
    const refused = rows.filter(({ setting, field }) => setting.changeable && !isWithin(setting, field.read()));
    for (const row of rows) mark(row, refused.includes(row), language);
    if (refused[0] !== undefined) return refused[0].field.control.focus();
    const changed = rows.filter(({ field, before }) => field.read() !== before);
    save(Object.fromEntries(changed.map(({ setting, field }) => [setting.name, field.read() || null])));
  };
}

function createRow(setting: DesktopHubSetting, language: Language): Row {
  const field = createField(setting, language);
  const hint = document.createElement("small");
  field.control.id = `setting-${setting.name}`;
  hint.id = `${field.control.id}-hint`;
  field.control.setAttribute("aria-describedby", hint.id);
  for (const each of field.elements) if ("disabled" in each) each.disabled = !setting.changeable;
  return { setting, field, before: field.read(), hint };
}

/** What the setting is for, its value, what is allowed, and its variable in small print. */
function present({ setting, field, hint }: Row, language: Language): HTMLElement {
  const label = document.createElement("label");
  label.htmlFor = field.control.id;
  label.textContent = settingTexts[language][setting.name];
  hint.textContent = hintOf(setting, language);
  const variable = document.createElement("small");
  variable.className = "variable";
  variable.textContent = setting.name;
  return group("setting", label, group("value", ...field.elements), hint, variable);
}

function mark({ setting, field, hint }: Row, isRefused: boolean, language: Language): void {
  const allowed = hintOf(setting, language);
  hint.textContent = isRefused ? `${words[language].setting.notAccepted} ${allowed}`.trim() : allowed;
  if (isRefused) field.control.setAttribute("aria-invalid", "true");
  else field.control.removeAttribute("aria-invalid");
}
