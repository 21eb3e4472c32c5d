import { Anchor, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { useSession } from "../../lib/session.ts";
import { PinNotice } from "./pin-notice.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import "./sign-in-gate.css";

/** Shows its children to a manager. An expired token asks for a new sign-in over the screen, which keeps what was typed. */
export function SignInGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation("signIn");
  const session = useSession();
  if (session.state === "out") {
    return (
      <section className="card sign-in-card" aria-labelledby="sign-in-title">
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
      >
        <p className="soft">{t("expiredAbout")}</p>
        <SignInForm />
      </Modal>
    </>
  );
}
