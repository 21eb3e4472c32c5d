import { Group, Input, NumberInput } from "@mantine/core";
import {
  accountSettings,
  durationUnits,
  joinDuration,
  settingRow,
  splitDuration,
  type DurationUnit,
  type Setting,
} from "@comanda/protocol";
import { useId, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { PasswordField, SelectField, TextField } from "../../components/forms/form-fields.tsx";
import { desktopBridge } from "../../lib/desktop.ts";
import { changeSettings } from "./change-settings.ts";
import { FolderField, isBackupFolder } from "./folder-field.tsx";
import { useSettingHint } from "@comanda/ui/setting-hints.ts";

interface SettingDialogProps {
  setting: Setting;
  /** What the setting is for. */
  label: string;
  onClose: () => void;
}

/** Changes one setting, in the unit that a person would use. */
export function SettingDialog({ setting, label, onClose }: SettingDialogProps) {
  const { t } = useTranslation(["system", "common"]);
  const { name } = setting;
  const [value, setValue] = useState(setting.value ?? "");
  const [password, setPassword] = useState("");
  // The saved password belongs to the previous account.
  const isOfAccount = accountSettings.some((each) => each === name);
  const { schema, mayBeEmpty = false } = settingRow(name);
  const isGood = (value.trim() === "" && !mayBeEmpty) || schema.safeParse(value.trim()).success;

  async function save(next: string | null) {
    await changeSettings({ [name]: next, ...(isOfAccount && { ERP_PASSWORD: password }) }, setting.localOnly);
    notify(t("saved"));
  }

  return (
    <FormDialog
      title={t("changeTitle")}
      submitLabel={t("common:save")}
      isReady={isGood}
      alternative={{ label: t("toDefault"), disabled: setting.source !== "file", run: () => save(null) }}
      basis={JSON.stringify([setting.value, setting.source])}
      onClose={onClose}
      run={() => save(value)}
    >
      <SettingField setting={setting} label={label} value={value} onChange={setValue} isGood={isGood} />
      {isOfAccount && (
        <PasswordField
          label={t("accountPassword")}
          description={t("accountPasswordAbout")}
          value={password}
          autoComplete="new-password"
          onChange={setPassword}
        />
      )}
      <p className="setting-name">
        {setting.needsRestart && `${t("needsRestart")} · `}
        <span className="mono">{name}</span>
      </p>
    </FormDialog>
  );
}

interface SettingFieldProps extends Pick<SettingDialogProps, "setting" | "label"> {
  value: string;
  onChange: (value: string) => void;
  isGood: boolean;
}

function SettingField({ setting: { name, secret }, label, value, onChange, isGood }: SettingFieldProps) {
  const { t } = useTranslation("setting");
  const hintOf = useSettingHint();
  const { input } = settingRow(name);
  const hint = hintOf(name, input);
  const common = {
    label,
    description: hint,
    error: isGood ? undefined : t("notAccepted", { hint: hint ?? "" }),
    "data-autofocus": true,
  };
  if (secret) {
    return <PasswordField {...common} value={value} autoComplete="new-password" onChange={onChange} />;
  }
  const bridge = desktopBridge();
  if (bridge !== null && isBackupFolder(name)) {
    return <FolderField {...common} bridge={bridge} value={value} onChange={onChange} />;
  }
  if (input.kind === "duration") return <DurationField {...common} value={value} onChange={onChange} />;
  if (["number", "port", "days", "money"].includes(input.kind)) {
    return (
      <NumberInput
        {...common}
        value={value}
        allowDecimal={input.kind === "money"}
        decimalScale={2}
        allowNegative={false}
        hideControls
        suffix={input.kind === "days" ? ` ${t("units.days")}` : ""}
        onChange={(next) => onChange(String(next))}
      />
    );
  }
  if (input.kind === "choice") {
    return (
      <SelectField
        {...common}
        value={value}
        data={input.options.map((option) => ({ value: option, label: t(`logLevel.${option as "info"}`) }))}
        onChange={onChange}
      />
    );
  }
  return <TextField {...common} value={value} autoComplete="off" onChange={onChange} />;
}

interface DurationFieldProps {
  label: string;
  description: string | null;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A number and its unit. `value` and `onChange` use ms. */
function DurationField({ value, onChange, ...field }: DurationFieldProps) {
  const id = useId();
  const { t } = useTranslation("setting");
  const [unit, setUnit] = useState<DurationUnit>(() => splitDuration(Number(value)).unit);
  const [amount, setAmount] = useState<number | string>(() => splitDuration(Number(value)).amount);

  function change(nextAmount: number | string, nextUnit: DurationUnit) {
    setAmount(nextAmount);
    setUnit(nextUnit);
    onChange(nextAmount === "" ? "" : String(joinDuration(Number(nextAmount), nextUnit)));
  }

  return (
    <Input.Wrapper {...field} id={id} labelElement="label" labelProps={{ htmlFor: id }}>
      <Group gap="xs" wrap="nowrap" mt={4}>
        <NumberInput
          id={id}
          className="grow"
          value={amount}
          error={field.error !== undefined}
          allowNegative={false}
          decimalScale={3}
          hideControls
          onChange={(next) => change(next, unit)}
          data-autofocus
        />
        <SelectField
          aria-label={t("unit")}
          w={140}
          value={unit}
          data={durationUnits.map((each) => ({ value: each, label: t(`units.${each}`) }))}
          onChange={(next) => change(amount, next)}
        />
      </Group>
    </Input.Wrapper>
  );
}
