import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import type { SheetProps } from "./sheet-props.ts";
import { SplitAmounts } from "./split-amounts.tsx";
import { SplitLine } from "./split-line.tsx";
import { SplitPartsRow } from "./split-parts-row.tsx";
import { useSplitAct, useSplitPreview } from "./use-split.ts";

/**
 * Splits a check: by amounts, or the lines by tapping them to a part, which become checks of their own. Until the last tap it
 * is a preview.
 */
export function SplitSheet({ order, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const split = useSplitPreview(order);
  const splitNow = useSplitAct(order.posReference);
  const { checks, lines } = split;
  return (
    <Sheet title={t("split")} onClose={onClose}>
      <section className="split">
        <SplitAmounts order={order} />
        <h3>{t("byLine")}</h3>
        <p className="soft">{t("byLineAbout")}</p>
        <SplitPartsRow split={split} />
        <ul className="split-lines">
          {lines.map((line) => (
            <SplitLine key={line.id} line={line} split={split} />
          ))}
        </ul>
        <ActButton
          kind="main"
          className="split-done"
          disabled={checks.length < 2}
          onAct={() => {
            if (splitNow(checks)) onDone();
          }}
        >
          {t("splitInto", { count: Math.max(2, checks.length) })}
        </ActButton>
      </section>
    </Sheet>
  );
}
