import type { DesktopTerminalBridge, TerminalHub } from "@comanda/protocol";
import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useState, type ReactNode } from "react";
import { shownLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { UpdateOverlay } from "@comanda/ui/update-overlay.tsx";
import { HubChoice } from "./hub-choice.tsx";
import { ThisPcButton } from "./this-pc-button.tsx";
import { isThisPcOpen } from "./this-pc-open.ts";
import { ThisPcSheet } from "./this-pc-sheet.tsx";
import "./desktop.css";

/** Shows the terminal once its hub is chosen, and before that the choice. */
export function FrameWithBridge({ bridge, children }: { bridge: DesktopTerminalBridge; children: ReactNode }) {
  const { t } = useTranslation("desktop");
  // Undefined until the app has answered whether it remembers a hub.
  const [hub, setHub] = useState<TerminalHub | null>();
  const isOpen = useStore(isThisPcOpen);
  useEffect(() => {
    void bridge.getHub().then(setHub);
  }, [bridge]);
  useEffect(() => {
    return shownLanguage.subscribe(() => void bridge.changeSettings({ language: shownLanguage.get() }));
  }, [bridge]);

  if (hub === undefined) return null;
  return (
    <>
      {hub === null ? (
        <main className="gate">
          <h1>{t("chooseTitle")}</h1>
          <p className="soft">{t("chooseAbout")}</p>
          <HubChoice bridge={bridge} current={null} onChosen={setHub} />
        </main>
      ) : (
        children
      )}
      <ThisPcButton className="act this-pc-corner" />
      {isOpen && <ThisPcSheet bridge={bridge} hub={hub} onClose={() => isThisPcOpen.set(false)} />}
      <UpdateOverlay bridge={bridge} />
    </>
  );
}
