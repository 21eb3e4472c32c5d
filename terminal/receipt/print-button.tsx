import { IconPrinter } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";

/** A web view of a phone may have no way to print. */
const canPrint = typeof globalThis.print === "function";

/** Prints the receipt of this screen on the device's own printer. */
export function PrintButton() {
  const { t } = useTranslation("pay");
  if (!canPrint) return null;
  return (
    <ActButton onAct={() => globalThis.print()}>
      <IconPrinter aria-hidden />
      {t("print")}
    </ActButton>
  );
}
