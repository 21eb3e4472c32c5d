import { useTranslation } from "@comanda/ui/translation.ts";
import { Loaded } from "../../components/loaded.tsx";
import { useHub } from "../../lib/hub.ts";
import { csvOf } from "./shift-csv.ts";
import { PaperHead } from "./paper-head.tsx";
import { ReportTools } from "./report-tools.tsx";
import { ShiftSheet } from "./shift-sheet.tsx";
import "./tills.css";

/** The report of a shift as a page that prints: X while it is open, Z once it is closed. */
export function ShiftView({ shiftId, onClose }: { shiftId: string; onClose: () => void }) {
  const { t } = useTranslation("tills");
  const shift = useHub("shift", { params: { shiftId } });
  return (
    <Loaded query={shift} height={320}>
      {(report) => (
        <article className="paper-report stack" aria-label={t("reportOf", { name: report.tillName })}>
          <ReportTools file={`${report.tillName}-${report.id}.csv`} csv={() => csvOf(report)} onClose={onClose} />
          <PaperHead title={t("reportOf", { name: report.tillName })} />
          <ShiftSheet report={report} />
        </article>
      )}
    </Loaded>
  );
}
