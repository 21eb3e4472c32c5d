import type { Actor, PendingPin } from "@comanda/terminal";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useLive, usePos } from "../../lib/connection/pos.ts";
import { managers } from "./people-list.ts";
import { putOffPin } from "../../people/pin-again-store.ts";
import { tokenEndOf } from "../../people/refused-token.ts";
import { PinPad } from "./pin-pad.tsx";
import "./person.css";

/** Asks for the PIN of a user whose token the hub refuses. If the user is gone, a manager decides about their changes. */
export function PinAgainSheet({ person, isActor }: { person: PendingPin; isActor: boolean }) {
  const { t } = useTranslation(["person", "conflicts"]);
  const { terminal, refreshPeople } = usePos();
  const people = useLive("people");
  const titleOf = useCheckTitles();
  const [, go] = useLocation();
  const [isAbsent, setAbsent] = useState(false);
  const [manager, setManager] = useState<Actor | null>(null);
  const { user, count, kept, orders, refusedToken } = person;
  const end = tokenEndOf(refusedToken);
  useEffect(() => {
    // The user may have a new PIN by now. While the hub is unreachable, the known people are used.
    refreshPeople().catch(() => {});
  }, [refreshPeople]);
  const candidates = people.filter(({ id }) => String(id) === String(user.id));
  const places = orders.flatMap((posReference) => {
    const order = terminal.order(posReference);
    return order === undefined ? [] : [titleOf(order.snapshot)];
  });
  const close = () => putOffPin(person);
  const decideOneByOne = () => {
    terminal.giveUpPin(user.id);
    go("/conflicts");
  };

  return (
    <Sheet title={t(`pinAgain.title.${end}`)} onClose={close}>
      <p className="pin-again">
        <strong>{isActor ? t(`pinAgain.own.${end}`) : t(`pinAgain.of.${end}`, { name: user.name })}</strong>{" "}
        {[t("pinAgain.waits", { count }), ...new Set(places)].join(" · ")}
      </p>
      {kept > 0 && <p className="pin-again">{t("conflicts:keptByHub", { count: kept })}</p>}
      {end === "approval" ? (
        <ActButton kind="main" onAct={decideOneByOne}>
          {t("conflicts:askApproval")}
        </ActButton>
      ) : manager !== null ? (
        <div className="pin-again-acts">
          <ActButton
            kind="main"
            onAct={() => {
              terminal.answerFor(user.id, manager);
              showNotice({ text: t("pinAgain.sentAs", { name: manager.user.name }) });
            }}
          >
            {t("pinAgain.sendAs", { name: manager.user.name })}
          </ActButton>
          <ActButton onAct={decideOneByOne}>{t("pinAgain.oneByOne")}</ActButton>
        </div>
      ) : isAbsent ? (
        <>
          <p className="pin-again">{t("pinAgain.managerDecides", { name: user.name })}</p>
          <PinPad
            key="manager"
            people={managers(people)}
            onGrant={(grant) => setManager({ token: grant.actorToken, user: grant.user })}
          />
        </>
      ) : (
        <>
          <ActButton size="small" className="person-back" onAct={() => setAbsent(true)}>
            {t("pinAgain.absent", { name: user.name })}
          </ActButton>
          {candidates.length === 0 ? (
            <p className="pin-again">{t("pinAgain.noPin", { name: user.name })}</p>
          ) : (
            <PinPad
              people={candidates}
              first={user.id}
              onGrant={({ actorToken, user: { id, name } }) => {
                terminal.renewActor({ token: actorToken, user: { id, name } });
                showNotice({ text: t("pinAgain.sent", { count }) });
              }}
            />
          )}
        </>
      )}
    </Sheet>
  );
}
