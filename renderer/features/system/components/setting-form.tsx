import { Button, Group, Modal, PasswordInput, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { accountSettings, type Setting, type SettingList } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { changeSettings } from "../api/change-settings.ts";

interface SettingFormProps {
  setting: Setting;
  onClose: () => void;
  onSaved: (list: SettingList) => void;
}

export function SettingForm({ setting, onClose, onSaved }: SettingFormProps) {
  const { t } = useTranslation(["system", "common"]);
  const [value, setValue] = useState(setting.value ?? "");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const Input = setting.secret ? PasswordInput : TextInput;
  // The kept password is for the account as it was.
  const isOfAccount = accountSettings.some((name) => name === setting.name);

  async function save(next: string | null) {
    setBusy(true);
    setError(null);
    try {
      const values = { [setting.name]: next, ...(isOfAccount && { ERP_PASSWORD: password }) };
      const list = await changeSettings(values, setting.localOnly);
      notifications.show({ message: t("system:savedNow"), color: "petrol" });
      onSaved(list);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      centered
      title={t("system:changeOf", { name: setting.name })}
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(value);
        }}
      >
        <Stack>
          <Input
            label={setting.name}
            description={
              t("system:allowed", { allowed: setting.allowed }) +
              (setting.needsRestart ? ` (${t("system:needsRestart")})` : "")
            }
            value={value}
            autoComplete="off"
            onChange={(event) => setValue(event.currentTarget.value)}
            data-autofocus
          />
          {isOfAccount && (
            <PasswordInput
              label={t("system:accountPassword")}
              description={t("system:accountPasswordAbout")}
              value={password}
              autoComplete="new-password"
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )}
          {error !== null && <ErrorNotice error={error} />}
          <Group justify="space-between">
            <Button variant="subtle" onClick={() => void save(null)} disabled={setting.source !== "file"}>
              {t("system:toDefault")}
            </Button>
            <Group>
              <Button variant="default" onClick={onClose}>
                {t("common:cancel")}
              </Button>
              <Button type="submit" loading={busy}>
                {t("common:save")}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
