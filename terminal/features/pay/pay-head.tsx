import type { LocalOrder } from "@comanda/terminal";
import { IconChevronLeft } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link, useLocation } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useCheckTitles } from "../../lib/check-title.ts";
import { useTerminal } from "../../lib/pos.ts";
import { attempt } from "../../lib/show-refusal.ts";

/** Where the payment belongs to, the way back, and the bill before the payment. */
export function PayHead({ order: { posReference, snapshot } }: { order: LocalOrder }) {
  const { t } = useTranslation("pay");
  const terminal = useTerminal();
  const titleOf = useCheckTitles();
  const [, go] = useLocation();
  const place = encodeURIComponent(posReference);
  const isOut = snapshot.status === "checkout";
  return (
    <div className="pay-head">
      <Link href={`/check/${place}`} className="act" data-size="small" aria-label={t("backToCheck")}>
        <IconChevronLeft aria-hidden />
      </Link>
      <h1>
        {titleOf(snapshot)}
        {snapshot.checkNumber != null && (
          <span className="soft"> {t("checkNumber", { number: snapshot.checkNumber })}</span>
        )}
      </h1>
      <ActButton
        size="small"
        onAct={() => {
          if (isOut || attempt(() => terminal.checkOut(posReference)) !== null) go(`/bill/${place}`);
        }}
      >
        {t("bill")}
      </ActButton>
    </div>
  );
}
