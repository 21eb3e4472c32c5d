import { OutboxInUseError } from "@comanda/terminal";
import { useEffect, useState, type ReactNode } from "react";
import type { Account } from "../../lib/device/account.ts";
import { readDevice } from "../../lib/device/device.ts";
import type { LiveTerminal } from "../../lib/connection/live-terminal.ts";
import { openOneTab } from "../../lib/device/one-tab.ts";
import { openPos } from "../../lib/connection/open-pos.ts";
import { openTerminal } from "../../lib/connection/open-terminal.ts";
import { PosContext, useLive } from "../../lib/connection/pos.ts";
import { fetchingAhead, lazyPart } from "@comanda/ui/lazy-part.ts";
import { EndedScreen, OtherTab } from "./lazy-sheets.ts";

/** After the first screen: nothing can be lost before that. */
const Careful = lazyPart(async () => {
  await fetchingAhead;
  return import("../../lib/connection/careful.tsx");
}, "Careful");

type Opening =
  | { state: "opening" }
  /** Another tab is active; `isStuck` if it did not give way. */
  | { state: "inUse"; isStuck: boolean }
  | { state: "open"; pos: LiveTerminal };

/** Shows the screens once this device's terminal is open, in one tab only. */
export function DeviceGate({ account: signedIn, children }: { account: Account; children: ReactNode }) {
  const [opening, setOpening] = useState<Opening>({ state: "opening" });
  const [attempt, setAttempt] = useState(0);
  // The terminal opens with the account of the start. A later sign-in switches the user of the open terminal.
  const [first] = useState(signedIn);
  useEffect(() => {
    const device = readDevice();
    const tab = openOneTab(device.id);
    let isCancelled = false;
    let pos: LiveTerminal | null = null;
    const show = (next: Opening) => {
      if (!isCancelled) setOpening(next);
    };
    async function open(): Promise<void> {
      if (attempt > 0) await tab.takeOver();
      else if (await tab.isTaken()) return show({ state: "inUse", isStuck: false });
      if (isCancelled) return;
      pos = await openTerminal(device, first);
      const { terminal } = pos;
      if (isCancelled) return terminal.stop();
      tab.hold(async () => {
        await terminal.stop();
        show({ state: "inUse", isStuck: false });
      });
      show({ state: "open", pos });
    }
    open().catch((error: unknown) => {
      if (!(error instanceof OutboxInUseError)) throw error;
      show({ state: "inUse", isStuck: attempt > 0 });
    });
    return () => {
      isCancelled = true;
      tab.close();
      void pos?.terminal.stop();
    };
  }, [first, attempt]);

  useEffect(() => {
    openPos.set(opening.state === "open" ? opening.pos : null);
    return () => openPos.set(null);
  }, [opening]);

  if (opening.state === "opening") return null;
  if (opening.state === "inUse") {
    return <OtherTab isStuck={opening.isStuck} onTakeOver={() => setAttempt(attempt + 1)} />;
  }
  return (
    <PosContext value={opening.pos}>
      <Careful />
      <EndedGate>{children}</EndedGate>
    </PosContext>
  );
}

/** Shows the reason in place of the screens when the session has ended for good. */
function EndedGate({ children }: { children: ReactNode }) {
  if (useLive("connection").name !== "ended") return children;
  return <EndedScreen />;
}
