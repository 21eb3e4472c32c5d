import type { LocalOrder } from "@comanda/terminal";
import { IconPrinter } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { usePrint } from "./use-print.ts";

/** Prints a document of a check. */
export function PrintButton({
  order,
  document,
}: {
  order: Pick<LocalOrder, "posReference" | "snapshot" | "pending">;
  document: "bill" | "receipt";
}) {
  const { t } = useTranslation("pay");
  const print = usePrint();
  return (
    <ActButton onAct={() => print(order, document)}>
      <IconPrinter aria-hidden />
      {t("print")}
    </ActButton>
  );
}
