/// <reference lib="dom" />
// The hub's settings as fields of the built-in page, so that a bad saved setting can always be corrected.
import type { Language, Setting } from "@comanda/protocol";
import { settingTexts } from "@comanda/protocol/setting-texts.ts";
import { words } from "./words.ts";

/** Fills `form` with the hub's saved settings, invalid ones first; `save` gets the changed values. */
export function fillSettingForm(
  form: HTMLFormElement,
  settings: readonly Setting[],
  invalid: readonly string[],
  language: Language,
  save: (values: Record<string, string | null>) => void,
): void {
  const isInvalid = ({ name }: Setting) => invalid.includes(name);
  const shown = settings
    .filter((setting) => isInvalid(setting) || (setting.source === "file" && setting.changeable))
    .sort((a, b) => Number(isInvalid(b)) - Number(isInvalid(a)));
  const fields = shown.map((setting) => ({ setting, input: createInput(setting, isInvalid(setting)) }));
  const submit = document.createElement("button");
  submit.type = "submit";
  submit.textContent = words[language].saveSettings;
  form.replaceChildren(
    ...fields.map(({ setting, input }) => createRow(setting, input, hintOf(setting, language))),
    submit,
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    const changed = fields.filter(({ setting, input }) => input.value !== (setting.value ?? ""));
    save(
      Object.fromEntries(changed.map(({ setting, input }) => [setting.name, input.value === "" ? null : input.value])),
    );
  };
}

function createInput({ name, value, secret, changeable }: Setting, isInvalid: boolean): HTMLInputElement {
  const input = document.createElement("input");
  input.id = `setting-${name}`;
  input.type = secret ? "password" : "text";
  input.autocomplete = "off";
  input.value = value ?? "";
  input.disabled = !changeable;
  if (isInvalid) input.setAttribute("aria-invalid", "true");
  return input;
}

function hintOf({ name, allowed, changeable, secret }: Setting, language: Language): string {
  const { passwordHint, fixedSetting } = words[language];
  return `${settingTexts[language][name]} (${changeable ? (secret ? passwordHint : allowed) : fixedSetting})`;
}

function createRow({ name }: Setting, input: HTMLInputElement, description: string): HTMLElement {
  const label = document.createElement("label");
  label.htmlFor = input.id;
  label.textContent = name;
  const hint = document.createElement("small");
  hint.id = `${input.id}-hint`;
  hint.textContent = description;
  input.setAttribute("aria-describedby", hint.id);
  const row = document.createElement("div");
  row.append(label, input, hint);
  return row;
}
