import { Text } from "@mantine/core";
import { minPinDigits, Pin } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { ConfirmationNote, useNeedsConfirmation } from "../../components/forms/needs-confirmation.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { PasswordField } from "../../components/forms/form-fields.tsx";
import { callHub, useHub } from "../../lib/hub.ts";

/** Sets the PIN with which this manager signs in without internet. */
export function PinDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("signIn");
  const { data: me } = useHub("me");
  const [pin, setPin] = useState("");
  const whyNot = useNeedsConfirmation();
  return (
    <FormDialog
      title={t("pinTitle")}
      submitLabel={t("pinSave")}
      isReady={Pin.safeParse(pin).success && pin.length >= minPinDigits("manager") && whyNot("") === undefined}
      onClose={onClose}
      run={async () => {
        await callHub("setPin", { body: { pin } });
        notify(t("pinSaved"));
      }}
    >
      <Text size="md">{t("pinAbout")}</Text>
      {me?.hasPin === true && <StatusMark tone="good">{t("pinIsSet")}</StatusMark>}
      <ConfirmationNote what={t("pinConfirmed")} />
      <PasswordField
        label={t("pin")}
        description={t("pinDigits")}
        value={pin}
        inputMode="numeric"
        autoComplete="new-password"
        maxLength={8}
        onChange={setPin}
        data-autofocus
      />
    </FormDialog>
  );
}
