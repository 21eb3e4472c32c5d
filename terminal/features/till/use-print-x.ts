import { useTranslation } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/notices.ts";
import { useTerminal } from "../../lib/pos.ts";
import { failureText } from "../../lib/show-refusal.ts";

/** Prints the report of the shift as it stands: for a cashier without any amount. */
export function usePrintX(shiftId: string): () => void {
  const { t } = useTranslation("till");
  const terminal = useTerminal();
  return () => {
    terminal.print({ document: "till", shiftId }).then(
      () => showNotice({ text: t("printed") }),
      (error: unknown) => showNotice({ text: failureText(error) }),
    );
  };
}
