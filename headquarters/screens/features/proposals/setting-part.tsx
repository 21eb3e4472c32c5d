import { describeDefault, settingRow, settingTexts, type SettingName } from "@comanda/protocol";
import { useAmountText, useSettingHint } from "@comanda/ui/setting-hints.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { CheckField } from "../../components/check-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { proposable, type PartProps } from "./draft.ts";

/** The choice of a setting and of its value. */
export function SettingPart({ draft, onChange }: PartProps) {
  const { t, language } = useTranslation("proposals");
  const { setting, value, isDefault } = draft;
  return (
    <>
      <label className="field">
        <span>{t("setting")}</span>
        <select
          className="input"
          value={setting}
          onChange={({ target }) => onChange({ setting: target.value as SettingName | "" })}
        >
          <option value="">{t("chooseSetting")}</option>
          {proposable.map((name) => (
            <option key={name} value={name}>
              {settingTexts[language][name]} ({name})
            </option>
          ))}
        </select>
      </label>
      {setting !== "" && (
        <>
          <p>{settingTexts[language][setting]}</p>
          {!isDefault && (
            <>
              <TextField
                label={t("value")}
                required={false}
                value={value}
                maxLength={4_000}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => onChange({ value: target.value })}
              />
              <ValueHint setting={setting} value={value} />
            </>
          )}
          <CheckField checked={isDefault} onChange={({ target }) => onChange({ isDefault: target.checked })}>
            <span>{t("useDefault", { value: describeDefault(setting) })}</span>
          </CheckField>
        </>
      )}
      <p className="soft">{t("settingAsked")}</p>
    </>
  );
}

/** Says which values are accepted, and shows a number of milliseconds in a readable unit. */
function ValueHint({ setting, value }: { setting: SettingName; value: string }) {
  const hintOf = useSettingHint();
  const amountText = useAmountText();
  const { input } = settingRow(setting);
  const hint = input.kind === "choice" ? input.options.join(", ") : hintOf(setting, input);
  const isAmount = input.kind === "duration" && /^\d+$/.test(value.trim());
  return (
    <p className="soft">
      {isAmount && <strong>{amountText("duration", Number(value))}. </strong>}
      {hint}
    </p>
  );
}
