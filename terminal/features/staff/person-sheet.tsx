import type { PinUser } from "@comanda/terminal";
import { IconArrowLeft, IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { account } from "../../lib/device/account.ts";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { MoreActs } from "./more-acts.tsx";
import { NewPin } from "./new-pin.tsx";
import { colleagues } from "./people-list.ts";
import type { PersonView } from "./person-view.ts";
import { PinPad } from "./pin-pad.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import "./person.css";

const Handover = lazyPart(() => import("./handover.tsx"), "Handover");

/** Switches to another user, with one tap and a PIN. Earlier acts stay attributed to who did them. */
export function PersonSheet({
  first,
  onClose,
}: {
  /** The user whose PIN is asked for first. */
  first?: PinUser["id"] | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation(["staff", "common", "person"]);
  const terminal = useTerminal();
  const actor = useLive("actor");
  const people = useLive("people");
  const owner = useLive("signedIn")?.user;
  const [view, setView] = useState<PersonView>("people");
  const others = colleagues(people, actor?.user.id);
  const isOwnerAway = owner !== undefined && actor !== null && String(owner.id) !== String(actor.user.id);
  // An owner without a PIN cannot be asked for one.
  const canGoBack = isOwnerAway && !people.some(({ id }) => String(id) === String(owner.id));

  function nowWorks(name: string): void {
    showNotice({ text: t("person:nowWorks", { name }) });
    onClose();
  }

  return (
    <Sheet title={t(`person:views.${view}`)} onClose={onClose}>
      {view === "people" ? (
        <div className="spread person-top">
          <span>{actor === null ? t("nobody") : t("working", { name: actor.user.name })}</span>
          <ActButton size="small" onAct={() => setView("more")}>
            <IconDots size={22} aria-hidden />
            {t("person:views.more")}
          </ActButton>
        </div>
      ) : (
        <ActButton size="small" className="person-back" onAct={() => setView(view === "more" ? "people" : "more")}>
          <IconArrowLeft size={22} aria-hidden />
          {t("common:back")}
        </ActButton>
      )}
      {view === "people" && (
        <>
          {canGoBack && (
            <ActButton
              kind="main"
              className="person-owner"
              onAct={() => {
                terminal.useActor(null);
                nowWorks(owner.name);
              }}
            >
              {t("person:backTo", { name: owner.name })}
            </ActButton>
          )}
          {others.length === 0 && (
            <ActButton kind="main" onAct={() => setView("account")}>
              {t("person:views.account")}
            </ActButton>
          )}
          <PinPad
            people={others}
            first={first}
            onGrant={({ actorToken, user }) => {
              const isOwner = String(user.id) === String(owner?.id);
              terminal.useActor(isOwner ? null : { token: actorToken, user: { id: user.id, name: user.name } });
              nowWorks(user.name);
            }}
          />
        </>
      )}
      {view === "more" && <MoreActs onView={setView} onClose={onClose} />}
      {view === "handover" && <Handover />}
      {view === "newPin" && <NewPin onDone={onClose} />}
      {view === "account" && (
        <SignInForm
          onSignedIn={(next) => {
            account.set(next);
            terminal.switchUser(next.token);
            nowWorks(next.user.name);
          }}
        />
      )}
    </Sheet>
  );
}
