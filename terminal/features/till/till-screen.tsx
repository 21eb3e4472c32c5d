import type { TillState } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { useIsCashier } from "../../people/role.ts";
import { CountShift } from "./count-shift.tsx";
import { CountedShift } from "./counted-shift.tsx";
import { DrawerSheet } from "./drawer-sheet.tsx";
import { MoveSheet, type MoveKind } from "./move-sheet.tsx";
import { OpenShift } from "./open-shift.tsx";
import { usePrintX } from "./use-print-x.ts";
import "./till.css";

/** The drawer of this device: its shift is opened, moved to and from, and counted here. */
export function TillScreen() {
  const { t } = useTranslation("till");
  const { deviceId } = useTerminal();
  const till = useLive("tills").find(({ terminals }) => terminals.includes(deviceId));
  const isCashier = useIsCashier();
  return (
    <div className="till">
      <h1>{till?.name ?? t("title")}</h1>
      {till === undefined ? <p>{t("none")}</p> : isCashier ? <Till till={till} /> : <p>{t("waiter")}</p>}
    </div>
  );
}

function Till({ till }: { till: TillState }) {
  const { shift } = till;
  if (shift === null) return <OpenShift key={till.id} till={till} />;
  return <Shift key={shift.id} till={till} shift={shift} />;
}

type OpenView = MoveKind | "drawer" | "count" | null;

function Shift({ till, shift }: { till: TillState; shift: NonNullable<TillState["shift"]> }) {
  const { t } = useTranslation("till");
  const format = useFormat();
  const printX = usePrintX(shift.id);
  const [view, setView] = useState<OpenView>(null);
  const close = () => setView(null);
  if (view === "count") return <CountShift shiftId={shift.id} onDone={close} />;
  return (
    <>
      <p className="soft">{t("since", { name: shift.openedBy, time: format.time(shift.openedAt) })}</p>
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
