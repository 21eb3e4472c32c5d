import type { DesktopBridge } from "@comanda/protocol";
import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { UpdateOverlay } from "@comanda/ui/update-overlay.tsx";
import { desktopBridge } from "../lib/desktop.ts";

const SetupWizard = lazyPart(() => import("../features/setup/setup-wizard.tsx"), "SetupWizard");

/** Adds what only the desktop app has: the first setup and the update overlay. Adds nothing in a browser. */
export function DesktopFrame({ children }: { children: ReactNode }) {
  const bridge = desktopBridge();
  return bridge === null ? children : <FrameWithBridge bridge={bridge}>{children}</FrameWithBridge>;
}

function FrameWithBridge({ bridge, children }: { bridge: DesktopBridge; children: ReactNode }) {
  const [location, go] = useLocation();
  const [configured, setConfigured] = useState<boolean | null>(null);
  // An unfinished setup continues after a reload, or after the hub moved to another port.
  const [isUnfinished, setUnfinished] = useState(() => sessionStorage.getItem("comanda-draft-setup-step") !== null);
  useEffect(() => {
    void bridge.getSettings().then((state) => setConfigured(state.configured));
  }, [bridge]);
  if (configured === null) return null;
  const inSetup = !configured || location === "/setup" || isUnfinished;
  return (
    <>
      {inSetup ? (
        <SetupWizard
          bridge={bridge}
          onDone={() => {
            setConfigured(true);
            setUnfinished(false);
            go("/");
          }}
        />
      ) : (
        children
      )}
      <UpdateOverlay bridge={bridge} />
    </>
  );
}
