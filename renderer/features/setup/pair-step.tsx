import { Button } from "@mantine/core";
import type { DesktopBridge, DesktopHubState, DesktopInfo, Pairing } from "@comanda/protocol";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { NetworkReach } from "../../components/network-reach.tsx";
import { PairingCard } from "../../components/pairing-card.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TechnicalDetail } from "../../components/failures/technical-detail.tsx";

/** How often the wizard checks whether a phone has reached the hub. The app answers from memory. */
const POLL_MS = 2_000;

/** How the first terminal connects. Shown as soon as the hub runs. */
export function PairStep({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation("setup");
  const [hub, setHub] = useState<DesktopHubState>({ state: "starting" });
  const [pairing, setPairing] = useState<Pairing | null>(null);
  useEffect(() => {
    void bridge.getHubState().then(setHub);
    return bridge.onHubState(setHub);
  }, [bridge]);
  const [platform, setPlatform] = useState<DesktopInfo["platform"]>();
  useEffect(() => {
    void bridge.info().then((info) => setPlatform(info.platform));
  }, [bridge]);
  const isReached = typeof pairing?.reach?.reachedAt === "string";
  useEffect(() => {
    if (hub.state !== "running" || isReached) return;
    const refresh = () => void bridge.getPairing().then(setPairing);
    refresh();
    const timer = setInterval(refresh, POLL_MS);
    return () => clearInterval(timer);
  }, [bridge, hub, isReached]);
  return (
    <>
      <h2>{t("pairTitle")}</h2>
      {hub.state === "failed" ? (
        <div role="alert">
          <StatusMark tone="bad">{t("hubFailed")}</StatusMark>
          <TechnicalDetail text={hub.error} />
          <Button variant="default" onClick={() => void bridge.restartHub()}>
            {t("retry")}
          </Button>
        </div>
      ) : pairing === null ? (
        <p role="status">{t("pairMissing")}</p>
      ) : (
        <PairingCard pairing={pairing}>
          <NetworkReach pairing={pairing} platform={platform} />
        </PairingCard>
      )}
    </>
  );
}
