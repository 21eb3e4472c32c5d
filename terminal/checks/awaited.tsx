import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive } from "../lib/connection/pos.ts";

/** Shown until the hub's copy of the back-office's data has arrived: `text`, or what holds it up and what to do. */
export function Awaited({ text }: { text: string }) {
  const { t } = useTranslation("order");
  const isOnline = useLive("connection").name === "online";
  const isBackOfficeDown = useLive("hubStatus")?.backOffice === "down";
  const cause = !isOnline ? t("awaitedFromHub") : isBackOfficeDown ? t("awaitedFromBackOffice") : text;
  return <p className="screen-none">{cause}</p>;
}
