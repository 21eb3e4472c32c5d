import type { DesktopInfo, Pairing } from "@comanda/protocol";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "./layout/status-mark.tsx";

type Platform = DesktopInfo["platform"];

const platforms: readonly Platform[] = ["win32", "darwin", "linux"];
/** How long nobody opens the code before the page says what may be in the way. */
const PATIENCE_MS = 45_000;

/**
 * Whether a phone that opened the pairing code reached the hub, live; after a while without one, what to do about the
 * firewall. `platform`: the hub's system, if it is known.
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
