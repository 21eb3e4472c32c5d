import { Button } from "@mantine/core";
import type { DesktopBridge, DesktopHubState, Pairing } from "@comanda/protocol";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { PairingCard } from "../../components/pairing-card.tsx";
import { StatusMark } from "../../components/status-mark.tsx";

/** How the first terminal connects; shown as soon as the hub runs. */
export function PairStep({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation("setup");
  const [hub, setHub] = useState<DesktopHubState>({ state: "starting" });
  const [pairing, setPairing] = useState<Pairing | null>(null);
  useEffect(() => {
    void bridge.getHubState().then(setHub);
    return bridge.onHubState(setHub);
  }, [bridge]);
  useEffect(() => {
    if (hub.state === "running") void bridge.getPairing().then(setPairing);
  }, [bridge, hub]);
  return (
    <>
      <h2>{t("pairTitle")}</h2>
      <p className="soft setup-intro">{t("pairAbout")}</p>
      {hub.state === "failed" ? (
        <div role="alert">
          <StatusMark tone="bad">{t("hubFailed")}</StatusMark>
          <p>{hub.error}</p>
          <Button variant="default" onClick={() => void bridge.restartHub()}>
            {t("retry")}
          </Button>
        </div>
      ) : pairing === null ? (
        <p role="status">{t("pairMissing")}</p>
      ) : (
        <PairingCard pairing={pairing} />
      )}
    </>
  );
}
