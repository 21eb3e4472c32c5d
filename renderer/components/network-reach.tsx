import type { DesktopInfo, Pairing } from "@comanda/protocol";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "./layout/status-mark.tsx";

type Platform = DesktopInfo["platform"];

const platforms: readonly Platform[] = ["win32", "darwin", "linux"];
/** Time in ms without a phone opening the code, after which the page names possible causes. */
const PATIENCE_MS = 45_000;

/**
 * Shows live whether a phone that opened the pairing code reached the hub. After a while without one, says what to do about the
 * firewall. `platform` is the hub's system, if known.
 */
export function NetworkReach({ pairing, platform }: { pairing: Pairing; platform?: Platform | undefined }) {
  const { t, format } = useTranslation("terminals");
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const { reach, port, addresses } = pairing;
  if (reach === null || addresses.every(({ kind }) => kind === "loopback")) return null;
  if (reach.reachedAt !== null) {
    return (
      <div role="status">
        <StatusMark tone="good">{t("reach.good")}</StatusMark>{" "}
        <span className="soft">{format.timeExact(reach.reachedAt)}</span>
      </div>
    );
  }
  return (
    <div role="status">
      <StatusMark tone={isLate ? "warn" : "idle"}>{t(isLate ? "reach.late" : "reach.waiting")}</StatusMark>
      {isLate && (
        <>
          <p>{t("reach.sameNetwork")}</p>
          <ul>
            {(platform === undefined ? platforms : [platform]).map((each) => (
              <li key={each}>{t(`reach.firewall.${each}`, { port })}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
