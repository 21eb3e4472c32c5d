import { Anchor, Modal, Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { useSession, usePinUntil } from "../../lib/session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";
import "./sign-in-gate.css";

/** The z-index above open dialogs, which keep what was typed in them. */
const ABOVE_DIALOGS = 300;

/** Shows its children to a manager. If the token expires, asks for a new sign-in above the screen, which keeps its input. */
export function SignInGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation("signIn");
  const session = useSession();
  if (session.state === "out") {
    return (
      <section className="card stack tight sign-in-card" aria-labelledby="sign-in-title">
        <h1 id="sign-in-title" className="screen-title">
          {t("title")}
        </h1>
        <p className="soft">{t("about")}</p>
        <SignInForm />
        <Anchor component={Link} href="/" size="sm">
          {t("without")}
        </Anchor>
      </section>
    );
  }
  return (
    <>
      <PinNotice />
      {children}
      <Modal
        opened={session.state === "expired"}
        onClose={() => undefined}
        withCloseButton={false}
        title={t("expiredTitle")}
        centered
        zIndex={ABOVE_DIALOGS}
      >
        <p className="soft">{t("expiredAbout")}</p>
        <SignInForm />
      </Modal>
    </>
  );
}

function PinNotice() {
  const until = usePinUntil();
  return until === null ? null : <PinSession key={until} until={until} />;
}

/**
 * Says what a PIN session permits, and asks for the password when the internet is back. Unmounted with its session, so that the
 * next session does not begin with an open dialog.
 */
function PinSession({ until }: { until: string }) {
  const { t, format } = useTranslation("signIn");
  const isBack = useHub("overview").data?.backOffice.state !== "unreachable";
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="chips pin-notice" role="status">
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
