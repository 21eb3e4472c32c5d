import type { Pairing } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { NetworkReach } from "../../components/network-reach.tsx";
import { PairingCard } from "../../components/pairing-card.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";

/** How a terminal finds this hub: QR code, address, and whether automatic discovery works on this network. */
export function ConnectPanel() {
  const { t } = useTranslation("terminals");
  return (
    <LoadedPanel title={t("tabs.connect")} query={useHub("pairing")} height={260}>
      {(pairing) => (
        <PairingCard pairing={pairing}>
          <NetworkReach pairing={pairing} />
          <Discovery pairing={pairing} />
        </PairingCard>
      )}
    </LoadedPanel>
  );
}

function Discovery({ pairing: { discovery } }: { pairing: Pairing }) {
  const { t } = useTranslation("terminals");
  return (
    <div>
      <StatusMark tone={discovery.state === "announced" ? "good" : "idle"}>{t("discovery")}</StatusMark>
      <p className="soft">{t(`discoveryStates.${discovery.state}`)}</p>
    </div>
  );
}
