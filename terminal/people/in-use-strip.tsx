import { RequestTimedOutError, type LocalOrder } from "@comanda/terminal";
import type { LeaseHolder } from "@comanda/protocol";
import { IconClockPause, IconPencil, IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { editLeaseOf } from "../lib/connection/edit-lease.ts";
import { useInUse } from "../lib/connection/in-use.ts";
import { showNotice } from "../lib/page/notices.ts";
import { useLive, useTerminal } from "../lib/connection/pos.ts";
import { failureText } from "../lib/page/show-refusal.ts";
import { useLasting } from "../lib/page/use-lasting.ts";
import { roleOf } from "./role.ts";
import { askForApproval } from "./ask-for-approval.ts";
import "./in-use.css";

/** States shorter than this, in ms, are not shown. */
const PASSING_MS = 1_500;

/**
 * Shows who else has the check open, with a button to take it over. Also shows when that is unknown, because the hub is
 * unreachable or has not answered.
 */
export function InUseStrip({
  order: { posReference, pending },
  waits = "wouldWait",
}: {
  order: LocalOrder;
  /** The text on what waits for the other user. */
  waits?: "wouldWait" | "payLater";
}) {
  const { t } = useTranslation("inUse");
  const holder = useInUse()(posReference);
  const isAway = useLasting(useLive("connection").name !== "online", PASSING_MS);
  const { state, hasLeft } = useEditLeaseOf(holder);
  useLossNotice(posReference);
  if (holder !== null) return <Holder {...{ holder, posReference, hasLeft, waits }} isWaiting={pending > 0} />;
  const isUnknown = state === "timed out" || (isAway && pending > 0);
  if (!isUnknown) return null;
  return (
    <output className="strip in-use" data-tone="idle">
      <IconPlugConnectedX size={22} aria-hidden />
      <span className="strip-text">
        <strong>{t(isAway ? "offline" : "timedOut")}</strong>
        <span>{t(isAway ? "nobodyKnows" : "mayMeet")}</span>
      </span>
    </output>
  );
}

function Holder({
  holder,
  posReference,
  hasLeft,
  isWaiting,
  waits,
}: {
  holder: LeaseHolder;
  posReference: string;
  /** Whether the hub has lost the connection to the holder. */
  hasLeft: boolean;
  /** Whether changes of this device wait for the holder. */
  isWaiting: boolean;
  waits: "wouldWait" | "payLater";
}) {
  const { t } = useTranslation("inUse");
  const take = useTakeOver(posReference, holder.userName);
  const Icon = isWaiting ? IconClockPause : IconPencil;
  return (
    <output className="strip in-use" data-tone="warn">
      <Icon size={22} aria-hidden />
      <span className="strip-text">
        <strong>{t(isWaiting ? "waitsFor" : "usedBy", { name: holder.userName })}</strong>
        <span>{t(hasLeft ? "disconnected" : isWaiting ? "sendsAutomatically" : waits)}</span>
      </span>
      <ActButton size="small" onAct={() => void take()}>
        {t("take")}
      </ActButton>
    </output>
  );
}

/** Returns a function that takes the check over: at once for a manager, otherwise with a manager's approval in place. */
function useTakeOver(posReference: string, name: string): () => Promise<void> {
  const { t } = useTranslation("inUse");
  const terminal = useTerminal();
  const isManager = roleOf(useLive("actor"), useLive("signedIn"), useLive("people")) === "manager";
  return async () => {
    const commands = isManager ? terminal : await askForApproval(t("takeFrom", { name }), "managers");
    if (commands === null) return;
    try {
      await editLeaseOf(terminal).takeOver(posReference, commands);
      showNotice({ text: t("taken") });
    } catch (error) {
      const isRefused = !(error instanceof RequestTimedOutError) && !isManager;
      showNotice({ text: isRefused ? t("notTaken", { name }) : failureText(error) });
    }
  };
}

/** Shows a notice when another user has taken the check edited here. */
function useLossNotice(posReference: string): void {
  const { t } = useTranslation("inUse");
  const terminal = useTerminal();
  useEffect(
    () =>
      terminal.on("leaseLost", ({ posReference: lost, by }) => {
        // A `by` of "hub" is a manager at the hub's own screens, who only released the check.
        if (lost !== posReference || by === null || by.terminalId === "hub") return;
        showNotice({ text: t("lost", { name: by.userName }) });
      }),
    [terminal, posReference, t],
  );
}

function useEditLeaseOf(holder: LeaseHolder | null) {
  const lease = editLeaseOf(useTerminal());
  const state = useSyncExternalStore(lease.onChange, lease.state);
  const hasLeft = useSyncExternalStore(lease.onChange, () => holder !== null && lease.hasLeft(holder.terminalId));
  return { state, hasLeft };
}
