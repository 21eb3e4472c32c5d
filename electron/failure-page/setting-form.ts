/// <reference lib="dom" />
// The hub's settings as fields of the built-in page, so that no saved one can lock the operator out.
import type { Setting } from "@comanda/protocol";
import type { Words } from "./words.ts";

/** Fills `form` with what is saved for the hub, the settings to blame first; `save` gets what was changed. */
export function fillSettingForm(
  form: HTMLFormElement,
  settings: readonly Setting[],
  toBlame: readonly string[],
  text: Words,
  save: (values: Record<string, string | null>) => void,
): void {
  const isToBlame = ({ name }: Setting) => toBlame.includes(name);
  const shown = settings
    .filter((setting) => isToBlame(setting) || (setting.source === "file" && setting.changeable))
    .sort((a, b) => Number(isToBlame(b)) - Number(isToBlame(a)));
  const fields = shown.map((setting) => ({ setting, input: createInput(setting, isToBlame(setting)) }));
  const submit = document.createElement("button");
  submit.type = "submit";
  submit.textContent = text.saveSettings;
  form.replaceChildren(...fields.map(({ setting, input }) => createRow(setting, input, text)), submit);
  form.onsubmit = (event) => {
    event.preventDefault();
    const changed = fields.filter(({ setting, input }) => input.value !== (setting.value ?? ""));
    save(
      Object.fromEntries(changed.map(({ setting, input }) => [setting.name, input.value === "" ? null : input.value])),
    );
  };
}

function createInput({ name, value, secret, changeable }: Setting, isToBlame: boolean): HTMLInputElement {
  const input = document.createElement("input");
  input.id = `setting-${name}`;
  input.type = secret ? "password" : "text";
  input.autocomplete = "off";
  input.value = value ?? "";
  input.disabled = !changeable;
  if (isToBlame) input.setAttribute("aria-invalid", "true");
  return input;
}

function createRow({ name, allowed, changeable, secret }: Setting, input: HTMLInputElement, text: Words): HTMLElement {
  const label = document.createElement("label");
  label.htmlFor = input.id;
  label.textContent = name;
  const hint = document.createElement("small");
  hint.id = `${input.id}-hint`;
  hint.textContent = changeable ? (secret ? text.passwordHint : allowed) : text.fixedSetting;
  input.setAttribute("aria-describedby", hint.id);
  const row = document.createElement("div");
  row.append(label, input, hint);
  return row;
}
