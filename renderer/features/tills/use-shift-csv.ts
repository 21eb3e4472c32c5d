import type { ShiftReport } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useMethodName } from "../../components/labels.ts";
import { csvTime } from "@comanda/ui/csv.ts";
import { useHub } from "../../lib/hub.ts";
import { csvOf } from "./shift-csv.ts";

/** Returns a function that writes reports as a spreadsheet file, in the words of the screen. */
export function useShiftCsv(): (reports: readonly ShiftReport[]) => string {
  const { t } = useTranslation(["tills", "common"]);
  const method = useMethodName();
  const timeZone = useHub("overview").data?.hub.timeZone;
  return (reports) => csvOf(reports, { t, method, time: (iso) => csvTime(iso, timeZone) });
}
