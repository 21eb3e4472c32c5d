import { QRCodeSVG } from "qrcode.react";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { waitingWork } from "../../lib/connection/waiting-work.ts";
import { addressForOthers, handoverLink } from "./handover-link.ts";

/** A QR code with which another device continues at the same place, after the user enters their PIN there. */
export function Handover() {
  const { t } = useTranslation("handover");
  const actor = useLive("actor");
  const [hub, setHub] = useState<string | null>(null);
  useEffect(() => void addressForOthers().then(setHub), []);
  const link = hub === null ? null : handoverLink(hub, { place: location.hash, personId: actor?.user.id });
  return (
    <div className="tight handover">
      <UnsentChanges />
      {link === null ? (
        <p>{t("noAddress")}</p>
      ) : (
        <>
          <p>{t("scan", { name: actor?.user.name ?? "" })}</p>
          <div className="handover-code">
            <QRCodeSVG
              value={link}
              size={240}
              marginSize={3}
              level="M"
              bgColor="#ffffff"
              fgColor="#101820"
              title={t("code", { address: link })}
            />
          </div>
          <p className="handover-address">{new URL(link).host}/terminal/</p>
        </>
      )}
    </div>
  );
}

/** Unsent changes, which the other device will not see. */
function UnsentChanges() {
  const { t } = useTranslation("handover");
  const terminal = useTerminal();
  const titleOf = useCheckTitles();
  useLive("outbox");
  const conflicts = useLive("conflicts").length;
  const isOnline = useLive("connection").name === "online";
  const work = waitingWork(terminal, titleOf);
  if (work === null) return <output data-tone="good">{t("allThere")}</output>;
  const why = !isOnline ? "away" : conflicts > 0 ? "toDecide" : "sending";
  return (
    <output data-tone={why === "sending" ? "accent" : "warn"}>
      {t(why, { count: work.count })}
      {work.where.length > 0 && ` ${t("where", { where: work.where.join(", ") })}`}
    </output>
  );
}
