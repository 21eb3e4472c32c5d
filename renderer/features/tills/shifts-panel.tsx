import { Button } from "@mantine/core";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { Loaded, LoadedTable } from "../../components/tables/loaded.tsx";
import type { EmptyText } from "../../components/layout/empty.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { TextField } from "../../components/forms/form-fields.tsx";
import { useHub } from "../../lib/hub.ts";
import { DayReport } from "./day-report.tsx";
import { useShiftColumns } from "./use-shift-columns.tsx";
import { useShiftCsv } from "./use-shift-csv.ts";
import { PaperHead } from "./paper-head.tsx";
import { ReportTools } from "./report-tools.tsx";
import { ShiftSheet } from "./shift-sheet.tsx";
import "./tills.css";

/** The shifts of a day, or all stored shifts, each with its report. */
export function ShiftsPanel() {
  const { t } = useTranslation(["tills", "common"]);
  const [day, setDay] = useState("");
  const [shown, setShown] = useState<{ shiftId: string } | "day" | null>(null);
  const shifts = useHub("shifts", { query: day === "" ? {} : { day } });
  const columns = useShiftColumns();
  const empty = useEmpty(day);
  const close = () => setShown(null);
  if (shown === "day") return <DayReport day={day} onClose={close} />;
  if (shown !== null) return <ShiftView shiftId={shown.shiftId} onClose={close} />;
  return (
    <Panel
      title={t("shiftsTitle")}
      actions={
        <>
          <TextField type="date" aria-label={t("common:day")} value={day} onChange={setDay} />
          <Button variant="default" onClick={() => setShown("day")}>
            {t("dayReport")}
          </Button>
        </>
      }
      flush
    >
      <LoadedTable
        query={shifts}
        columns={columns}
        rows={(list) => list.shifts}
        rowKey={({ id }) => id}
        actions={({ id, openedBy, tillName }) => [
          {
            label: t("show"),
            name: t("showOf", { name: openedBy, till: tillName }),
            run: async () => setShown({ shiftId: id }),
          },
        ]}
        empty={empty}
      />
    </Panel>
  );
}

/** Returns the text for no shifts. Without a till, no shift can be opened. */
function useEmpty(day: string): EmptyText {
  const { t } = useTranslation("tills");
  const tills = useHub("tills").data?.tills;
  const title = t(day === "" ? "noShiftsTitle" : "noShiftsThatDay");
  if (tills?.length !== 0) return { title, children: t("noShifts") };
  return { title, children: t("noShiftsWithoutTill"), way: { to: "/tills/tills", label: t("toTills") } };
}

/** The report of a shift as a printable page: X while the shift is open, Z once it is closed. */
function ShiftView({ shiftId, onClose }: { shiftId: string; onClose: () => void }) {
  const { t } = useTranslation("tills");
  const shift = useHub("shift", { params: { shiftId } });
  const csvOf = useShiftCsv();
  return (
    <>
      {shift.data === undefined && <ReportTools onClose={onClose} />}
      <Loaded query={shift} height={320}>
        {(report) => (
          <article className="paper-report stack" aria-label={t("reportOf", { name: report.tillName })}>
            <ReportTools
              report={{ file: `${report.tillName}-${report.id}`, csv: () => csvOf([report]) }}
              onClose={onClose}
            />
            <PaperHead title={t("reportOf", { name: report.tillName })} />
            <ShiftSheet report={report} />
          </article>
        )}
      </Loaded>
    </>
  );
}
