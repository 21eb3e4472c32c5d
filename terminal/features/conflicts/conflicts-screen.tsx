import type { PendingPin } from "@comanda/terminal";
import { useStore } from "@comanda/ui/store.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { saveFile } from "@comanda/ui/save-file.ts";
import { dishName } from "../../checks/check-lines.ts";
import { HoldButton } from "../../components/hold-button.tsx";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { readDevice } from "../../lib/device/device.ts";
import { useInUse } from "../../lib/connection/in-use.ts";
import { hubNames } from "../../lib/device/hub-names.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { menuOf } from "../../lib/menu/use-menu.ts";
import { useTableNames } from "../../lib/labels/table-names.ts";
import { waitingChecks, waitingWork } from "../../lib/connection/waiting-work.ts";
import { otherOutboxes } from "../../lib/connection/other-outboxes.ts";
import { askPinAgain } from "../../people/pin-again-store.ts";
import { tokenEndOf } from "../../people/refused-token.ts";
import { ConflictCard } from "./conflict-card.tsx";
import { Health } from "./health.tsx";
import { unsentFile } from "./unsent-file.ts";
import { dismissOutcome, outcomes } from "./outcomes.ts";
import { isActive } from "@comanda/protocol";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import "../../components/screen.css";
import "./conflicts.css";

/** The conflicts to decide, the changes not yet sent, and the state of the connection. */
export function ConflictsScreen() {
  const { t } = useTranslation(["conflicts", "badge"]);
  const terminal = useTerminal();
  const conflicts = useLive("conflicts");
  const pendingPins = useLive("pendingPins");
  const { toSend: unsent } = useLive("outbox");
  const work = waitingWork(terminal, useCheckTitles());
  return (
    <div className="screen conflicts">
      <h1>{t("title")}</h1>
      <Outcomes />
      <FormerChecks />
      <section aria-labelledby="conflicts-decide">
        <h2 id="conflicts-decide">{t("decideTitle")}</h2>
        {pendingPins.map((person) => (
          <PendingPinCard key={person.user.id} person={person} />
        ))}
        {conflicts.length === 0 && pendingPins.length === 0 ? (
          <p className="soft">{t("nothingToDecide")}</p>
        ) : (
          <ul className="stack">
            {conflicts.map((conflict) => (
              <li key={conflict.id}>
                <ConflictCard conflict={conflict} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="conflicts-send">
        <h2 id="conflicts-send">{t("sendTitle")}</h2>
        <LostWork />
        {(unsent > 0 || terminal.lostWork() === null) && (
          <p className={unsent > 0 ? undefined : "soft"}>
            {unsent > 0
              ? [t("badge:toSend", { count: unsent }), ...(work?.where ?? [])].join(" · ")
              : t("nothingToSend")}
          </p>
        )}
        {unsent > 0 && <SaveUnsent />}
        <Waiting />
        <OtherOutboxes />
      </section>
      <Health />
    </div>
  );
}

/** Changes of a user whose token the hub refuses: they need a PIN, or another approval. */
function PendingPinCard({ person: { user, count, kept, refusedToken } }: { person: PendingPin }) {
  const { t } = useTranslation("conflicts");
  const terminal = useTerminal();
  const isApproval = tokenEndOf(refusedToken) === "approval";
  return (
    <div className="toned-card conflicts-card" data-tone="bad">
      <strong>{t(isApproval ? "approvalOf" : "pinOf", { count, name: user.name })}</strong>
      {kept > 0 && <p>{t("keptByHub", { count: kept })}</p>}
      <div className="chips conflicts-acts">
        <ActButton kind="main" onAct={() => (isApproval ? terminal.giveUpPin(user.id) : askPinAgain(user.id))}>
          {t(isApproval ? "askApproval" : "enterPin")}
        </ActButton>
      </div>
    </div>
  );
}

/** Changes that waited when the browser cleared this device's storage. It is unknown whether the hub has them. */
function LostWork() {
  const { t, format } = useTranslation("conflicts");
  const terminal = useTerminal();
  const lost = terminal.lostWork();
  if (lost === null) return null;
  const { pending: count, amount, at } = lost;
  return (
    <div className="toned-card conflicts-card" data-tone="bad" role="alert">
      <strong>{t("lost", { count, when: format.ago(at, terminal.now()) })}</strong>
      {amount !== 0 && <p>{t("lostMoney", { amount: format.money(amount) })}</p>}
      <div className="chips conflicts-acts">
        <HoldButton onHeld={() => terminal.forgetLostWork()}>
          {t("lostSeen")}
          <span className="conflicts-hint">{t("holdIt")}</span>
        </HoldButton>
      </div>
    </div>
  );
}

/** The changes that wait for another user to finish with their check. */
function Waiting() {
  const { t } = useTranslation("conflicts");
  const inUse = useInUse();
  const titleOf = useCheckTitles();
  const waiting = useLive("orders").filter(({ pending }) => pending > 0);
  return waiting.map(({ posReference, snapshot }) => {
    const holder = inUse(posReference);
    if (holder === null) return null;
    return (
      <output key={posReference} className="toned-card conflicts-card" data-tone="warn">
        <strong>{t("waitsFor", { name: holder.userName, place: titleOf(snapshot) })}</strong>
        <span>{t("sendsAutomatically")}</span>
      </output>
    );
  });
}

/** Saves unsent changes as a text file, before the device is replaced or its browser data cleared. */
function SaveUnsent() {
  const { t, format } = useTranslation("conflicts");
  const terminal = useTerminal();
  const titleOf = useCheckTitles();
  function save(): void {
    const { id } = readDevice();
    const when = format.fullDateTime(new Date(terminal.now()).toISOString());
    const text = unsentFile(waitingChecks(terminal), {
      head: [t("unsentFile.head", { name: id, when }), t("unsentFile.about")],
      titleOf,
      dishOf: (line) => dishName(line, menuOf(terminal)),
      money: format.money,
      total: (amount) => t("total", { amount }),
      taken: (amount) => t("taken", { amount }),
    });
    saveFile(new Blob([text], { type: "text/plain" }), `${t("unsentFile.name")}-${id}.txt`);
  }
  return (
    <div className="chips conflicts-acts">
      <ActButton onAct={save}>{t("unsentFile.save")}</ActButton>
    </div>
  );
}

/** Unsent changes of this device for another hub, or under its earlier name. */
function OtherOutboxes() {
  const { t } = useTranslation("conflicts");
  return useStore(otherOutboxes).map(({ name: outbox, pending: count }) => {
    const [formerName = "", hubId = ""] = outbox.split(" ");
    const hub = hubNames()[hubId];
    const text =
      formerName !== readDevice().id
        ? t("elsewhere.name", { count, name: formerName })
        : hub === undefined
          ? t("elsewhere.unknownHub", { count })
          : t("elsewhere.hub", { count, name: hub });
    return (
      <output key={outbox} className="toned-card conflicts-card" data-tone="warn">
        {text}
      </output>
    );
  });
}

/** Money to collect or give back by hand after a conflict; shown until dismissed. */
function Outcomes() {
  const { t, format } = useTranslation("conflicts");
  return useStore(outcomes).map(({ id, posReference, place, collect, giveBack, rest }) => {
    const toOpen = collect > 0 ? posReference : giveBack > 0 ? rest?.posReference : undefined;
    return (
      <output key={id} className="toned-card" data-tone="good">
        <strong>
          {collect > 0 && t("collect", { amount: format.money(collect), place })}
          {giveBack > 0 &&
            t(rest === null ? "giveBackNow" : "giveBackOrTake", {
              amount: format.money(giveBack),
              place,
              rest: rest?.place ?? "",
            })}
          {collect === 0 && giveBack === 0 && t("settled", { place })}
        </strong>
        <div className="chips conflicts-acts">
          {toOpen !== undefined && (
            <Link className="act" data-kind="main" href={`/check/${encodeURIComponent(toOpen)}`}>
              {t("openCheck")}
            </Link>
          )}
          <ActButton onAct={() => dismissOutcome(id)}>{t("done")}</ActButton>
        </div>
      </output>
    );
  });
}

/** Checks of another hub that was at this address before, and whether a manager was asked to take them over. */
function FormerChecks() {
  const { t, format } = useTranslation(["conflicts", "common"]);
  const terminal = useTerminal();
  const checks = useLive("formerChecks");
  const names = useTableNames();
  if (checks.length === 0) return null;
  const unanswered = checks.filter(({ state }) => state !== "asked").length;
  return (
    <section className="toned-card conflicts-card" data-tone="warn" aria-labelledby="conflicts-former">
      <h2 id="conflicts-former">{t("former.title", { count: checks.length })}</h2>
      {unanswered < checks.length && <p>{t("former.awaitsManager")}</p>}
      {unanswered > 0 && <p>{t("former.onlyHere", { count: unanswered })}</p>}
      <ul className="conflicts-former">
        {checks.map(({ posReference, snapshot: { tableId, ticketNumber, customerName, status, totals } }) => (
          <li key={posReference}>
            {joinWithDots(
              tableId === null ? (ticketNumber ?? t("common:takeaway")) : (names.get(tableId) ?? t("aTable")),
              customerName,
              t(isActive(status) ? "total" : "taken", { amount: format.money(totals.total) }),
            )}
          </li>
        ))}
      </ul>
      {checks.some(({ state }) => state !== "waiting") && (
        <div className="chips conflicts-acts">
          <ActButton onAct={terminal.forgetFormerChecks}>{t("former.forget")}</ActButton>
        </div>
      )}
    </section>
  );
}
