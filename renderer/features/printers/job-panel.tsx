import { Button } from "@mantine/core";
import { PrintJobState, type PrintJob } from "@comanda/protocol";
import { layOut } from "@comanda/rules";
import { type CSSProperties, useState } from "react";
import { Paper } from "@comanda/ui/paper.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { QRCodeSVG } from "qrcode.react";
import { ActionRow } from "../../components/forms/action-button.tsx";
import { Dialog } from "../../components/forms/dialog.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { FilterSelect } from "../../components/forms/filter-select.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { usePrintJobActions, usePrintJobColumns } from "../../components/print-jobs.tsx";
import { PagedTable } from "../../components/tables/virtual-table.tsx";
import { useHub, useHubPages } from "../../lib/hub.ts";
import { useChoice } from "../../lib/still-offered.ts";
import "./paper.css";

/** Print jobs, whether printed or not, newest first. */
export function JobPanel() {
  const { t } = useTranslation(["printers", "printing", "common"]);
  const [state, setState] = useState<PrintJobState | null>(null);
  const [shown, setShown] = useState<PrintJob | null>(null);
  const printers = useHub("printers").data?.printers;
  const [printer, setPrinter] = useChoice(printers?.map(({ id }) => id));
  const search = { ...(state !== null && { state }), ...(printer !== null && { printer }) };
  const jobs = useHubPages("printJobs", search, (page) => page.jobs);
  const [what, ...others] = usePrintJobColumns();
  const columns = [
    {
      header: t("common:what"),
      width: "minmax(220px, 2fr)",
      cell: (job: PrintJob) => (
        <>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t("seeOf", { what: t(`printing:document.${job.document}`) })}
            onClick={() => setShown(job)}
          >
            {t("see")}
          </Button>{" "}
          {what?.cell(job)}
        </>
      ),
    },
    ...others,
  ];
  return (
    <Panel title={t("jobs")} about={t("jobsAbout")} flush>
      <div className="tools">
        <FilterSelect
          label={t("filterState")}
          any={t("anyState")}
          value={state}
          onChange={setState}
          data={PrintJobState.options.map((value) => ({ value, label: t(`printing:state.${value}`) }))}
        />
        <FilterSelect
          label={t("filterPrinter")}
          any={t("anyPrinter")}
          value={printer}
          onChange={setPrinter}
          data={(printers ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <PagedTable
        query={jobs}
        label={t("jobs")}
        columns={columns}
        rowKey={({ id }) => id}
        height="calc(100dvh - 400px)"
        empty={{ title: t("common:nothingYet"), children: t("noJobs") }}
      />
      {shown !== null && <JobDialog job={shown} onClose={() => setShown(null)} />}
    </Panel>
  );
}

function JobDialog({ job, onClose }: { job: PrintJob; onClose: () => void }) {
  const { t } = useTranslation(["printers", "printing"]);
  const actions = usePrintJobActions();
  const printers = useHub("printers").data?.printers ?? [];
  const detail = useHub("printJob", { params: { jobId: job.id } });
  const columns = printers.find(({ id }) => id === job.printerId)?.width === 58 ? 32 : 48;
  return (
    <Dialog title={t(`printing:document.${job.document}`)} size="lg" onClose={onClose}>
      <Loaded query={detail}>
        {({ blocks }) => (
          <div className="stack">
            <div
              className="paper-frame"
              style={{ "--columns": columns } as CSSProperties}
              tabIndex={0}
              role="region"
              aria-label={t("preview")}
            >
              <Paper
                lines={layOut(blocks, columns)}
                columns={columns}
                label={t(`printing:document.${job.document}`)}
                Code={QRCodeSVG}
              />
            </div>
            <ActionRow actions={actions(detail.data ?? job)} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
