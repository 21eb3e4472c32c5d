import type { Pairing } from "@comanda/protocol";
import { QRCodeSVG } from "qrcode.react";
import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { CopyField } from "./forms/copy-field.tsx";
import { fact, Facts } from "./layout/facts.tsx";
import { StatusMark } from "./layout/status-mark.tsx";
import { TechnicalFold } from "./failures/technical-detail.tsx";
import "./pairing-card.css";

/** The QR code that a terminal scans, with the address in large type beside it. */
export function PairingCard({ pairing, children }: { pairing: Pairing; children?: ReactNode }) {
  const { t } = useTranslation(["terminals", "common"]);
  const [best, ...others] = pairing.addresses.toSorted((a, b) => order[a.kind] - order[b.kind]);
  if (best === undefined) return <StatusMark tone="bad">{t("noLan")}</StatusMark>;
  return (
    <div className="chips pairing">
      {best.kind !== "loopback" && (
        <div className="pairing-code">
          <QRCodeSVG
            value={pairingText(pairing, best.url)}
            size={220}
            marginSize={3}
            level="M"
            bgColor="#ffffff"
            fgColor="#101820"
            title={t("qr", { address: best.url })}
          />
        </div>
      )}
      <div className="pairing-words">
        {best.kind !== "loopback" && <p className="soft no-margin">{t("scan")}</p>}
        <div>
          <span className="copy-label">{t("addressLabel")}</span>
          <p className="pairing-address">{new URL("/terminal/", best.url).href.replace(/^https?:\/\//, "")}</p>
        </div>
        <Facts items={[fact(t("common:name"), pairing.name)]} />
        <CopyField label={t("wsLabel")} value={best.wsUrl} />
        <TechnicalFold>
          <Facts items={[fact(t("hubId"), <span className="mono">{pairing.hubId}</span>)]} />
        </TechnicalFold>
        {best.kind !== "lan" && (
          <div role="alert">
            <StatusMark tone={best.kind === "virtual" ? "warn" : "bad"}>
              {t(pairing.localOnly ? "localOnly" : "noLan")}
            </StatusMark>
            {pairing.localOnly && <p className="soft">{t("localOnlyWay")}</p>}
          </div>
        )}
        {others.length > 0 && (
          <div>
            <span className="copy-label">{t("otherAddresses")}</span>
            <ul className="plain-list pairing-others">
              {others.map((address) => (
                <li key={address.url}>
                  <span className="mono">{address.url}</span>{" "}
                  <span className="soft">
                    {address.interface} · {t(`kinds.${address.kind}`)}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

const order = { lan: 0, virtual: 1, loopback: 2 } as const;

/**
 * Returns the content of the QR code: address, hub id and name. A phone that opens it shows that it reaches the hub
 * (hub/http/pages/pairing-page.ts). `code` lets the hub notice that.
 */
export function pairingText(pairing: Pick<Pairing, "hubId" | "name" | "reach">, url: string): string {
  const code = new URL("/pair", url);
  if (pairing.reach !== null) code.searchParams.set("code", pairing.reach.code);
  code.searchParams.set("hub", pairing.hubId);
  code.searchParams.set("name", pairing.name);
  return code.href;
}
