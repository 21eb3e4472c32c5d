import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { usePinUntil } from "../../lib/session.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Says what a session that a PIN has opened is good for, and asks for the password when the internet is back. */
export function PinNotice() {
  const { t } = useTranslation("signIn");
  const format = useFormat();
  const until = usePinUntil();
  const isBack = useHub("overview").data?.backOffice.state !== "unreachable";
  const [isOpen, setOpen] = useState(false);
  if (until === null) return null;
  return (
    <div className="pin-notice" role="status">
      <StatusMark tone={isBack ? "warn" : "idle"}>
        {t(isBack ? "pinEnding" : "pinWorking", { time: format.time(until) })}
      </StatusMark>
      {isBack && (
        <Button size="xs" onClick={() => setOpen(true)}>
          {t("usePassword")}
        </Button>
      )}
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t("title")} centered>
        <SignInForm />
      </Modal>
    </div>
  );
}
