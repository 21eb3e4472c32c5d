import type { TillState } from "@comanda/protocol";
import type { Mutation } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useRef, useState } from "react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { useIsCashier } from "../../people/role.ts";
import { CountShift } from "./count-shift.tsx";
import { MoveSheet, type MoveKind } from "./move-sheet.tsx";
import { OpenShift } from "./open-shift.tsx";
import { showNotice } from "../../lib/page/notices.ts";
import { attempt, showRefusal } from "../../lib/page/show-refusal.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { isWithoutPrinter } from "../../receipt/use-print.ts";
import { approveCount, pendingCounts, giveUpClosed, isCountedHere } from "./follow-count.ts";
import "../../components/screen.css";
import "./till.css";

/** The drawer of this device: opens its shift, moves cash, and counts it. */
export function TillScreen() {
  const { t } = useTranslation(["till", "common"]);
  const terminal = useTerminal();
  const tills = useLive("tills");
  const till = tills.find(({ terminals }) => terminals.includes(terminal.deviceId));
  const isCashier = useIsCashier();
  useEffect(() => giveUpClosed(terminal, tills), [terminal, tills]);
  return (
    <div className="screen tight till">
      <h1>{till?.name ?? t("common:till")}</h1>
      {till === undefined ? <p>{t("none")}</p> : isCashier ? <Till key={till.id} till={till} /> : <p>{t("waiter")}</p>}
    </div>
  );
}

function Till({ till }: { till: TillState }) {
  const { shift } = till;
  useClosed(shift);
  if (shift === null) return <OpenShift till={till} />;
  return <Shift key={shift.id} till={till} shift={shift} />;
}

/** Shows a notice when the shift was closed elsewhere: acts on it do not apply to the next one. */
function useClosed(shift: TillState["shift"]): void {
  const { t } = useTranslation("till");
  const shown = useRef(shift);
  useEffect(() => {
    const before = shown.current;
    shown.current = shift;
    if (before === null || shift !== null || isCountedHere(before.id)) return;
    // A counted shift may have been counted here before the page was reloaded.
    showNotice({ text: t(before.state === "counted" ? "closed" : "closedElsewhere") });
  }, [shift, t]);
}

type OpenView = MoveKind | "drawer" | "count" | null;

function Shift({ till, shift }: { till: TillState; shift: NonNullable<TillState["shift"]> }) {
  const { t, format } = useTranslation("till");
  const terminal = useTerminal();
  const printX = usePrintX(shift.id);
  const [view, setView] = useState<OpenView>(null);
  const close = () => setView(null);
  if (view === "count") return <CountShift shiftId={shift.id} onDone={close} />;
  return (
    <>
      <p className="soft">{t("since", { name: shift.openedBy, time: format.when(shift.openedAt, terminal.now()) })}</p>
      {shift.state === "counted" ? (
        <CountedShift shiftId={shift.id} onRecount={() => setView("count")} />
      ) : (
        <div className="till-acts">
          {(["drop", "in", "out"] as const).map((kind) => (
            <ActButton key={kind} onAct={() => setView(kind)}>
              {t(kind)}
            </ActButton>
          ))}
          <ActButton onAct={() => setView("drawer")}>{t("drawer")}</ActButton>
          <ActButton onAct={printX}>{t("printX")}</ActButton>
          <ActButton kind="main" onAct={() => setView("count")}>
            {t("count")}
          </ActButton>
        </div>
      )}
      {view === "drawer" && <DrawerSheet tillId={till.id} onClose={close} />}
      {view !== null && view !== "drawer" && <MoveSheet kind={view} shiftId={shift.id} onClose={close} />}
    </>
  );
}

/** Returns a function that prints the current report of the shift, for a cashier without amounts. */
function usePrintX(shiftId: string): () => void {
  const { t } = useTranslation("till");
  const terminal = useTerminal();
  return () => {
    terminal.print({ document: "till", shiftId }).then(
      () => showNotice({ text: t("printed") }),
      (error: unknown) => (isWithoutPrinter(error) ? showNotice({ text: t("noPrinter") }) : showRefusal(error)),
    );
  };
}

const reasons = ["change", "check", "other"] as const;

/** Opens the drawer without a sale; only a reason is needed, which is recorded. */
function DrawerSheet({ tillId, onClose }: { tillId: string; onClose: () => void }) {
  const { t } = useTranslation(["till", "check"]);
  const terminal = useTerminal();

  function open(reason: (typeof reasons)[number]): void {
    const mutation = attempt(() => terminal.openDrawer(tillId, t(`reasons.${reason}`)));
    if (mutation === null) return;
    if (terminal.connection().name === "online") void sayWhetherItOpens(mutation);
    else showNotice({ text: t("openingAway") });
    onClose();
  }

  async function sayWhetherItOpens({ outcome }: Mutation): Promise<void> {
    const settled = await outcome;
    if (settled.state !== "acknowledged" || settled.answer.type !== "TILL_ACK") return;
    showNotice({ text: t(settled.answer.opensDrawer === false ? "noDrawer" : "opening") });
  }

  return (
    <Sheet title={t("drawerTitle")} onClose={onClose}>
      <div className="stack">
        <Choices
          legend={t("check:reason")}
          of={reasons}
          chosen={null}
          text={(reason) => t(`reasons.${reason}`)}
          onChoose={open}
          size="small"
        />
      </div>
    </Sheet>
  );
}

/** A count that awaits a manager: approve it here, or count again. */
function CountedShift({ shiftId, onRecount }: { shiftId: string; onRecount: () => void }) {
  const { t } = useTranslation("till");
  const terminal = useTerminal();
  const conflict = pendingCounts(useLive("conflicts"), shiftId).at(-1);
  // An unsent count may close the shift once the hub has it. Without one, another device may have counted.
  const isUnsent = useLive("outbox").toSend > 0 && conflict === undefined;

  return (
    <section className="toned-card" data-tone="warn">
      <p>{t(isUnsent ? "countKept" : "needsApproval")}</p>
      <div className="till-acts">
        {conflict !== undefined && (
          <ActButton kind="main" onAct={() => void approveCount(terminal, shiftId, conflict.id)}>
            {t("approve")}
          </ActButton>
        )}
        <ActButton onAct={onRecount}>{t("recount")}</ActButton>
      </div>
    </section>
  );
}
