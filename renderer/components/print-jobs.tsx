import type { PrintJob } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { callHub, useHub } from "../lib/hub.ts";
import { type Action, ActionButton } from "./forms/action-button.tsx";
import { OrderLink } from "./order-link.tsx";
import { StatusMark, type Tone } from "./layout/status-mark.tsx";
import { LoadedQuietly } from "./tables/loaded.tsx";
import type { Column } from "./tables/table.tsx";
import { TablePanel } from "./tables/table-panel.tsx";
import { TimeAgo } from "./layout/time.tsx";

const tones: Readonly<Record<PrintJob["state"], Tone>> = {
  waiting: "idle",
  printing: "accent",
  printed: "good",
  unknown: "warn",
  failed: "bad",
  dropped: "idle",
};

/** Print jobs that failed, or may have failed, and need a decision. Renders nothing if there are none. */
export function OpenPrints() {
  const { t } = useTranslation("printing");
  const open = useHub("printJobs", { query: { open: "true", limit: 100 } });
  const columns = usePrintJobColumns();
  const actions = usePrintJobActions();
  return (
    <LoadedQuietly title={t("openTitle")} query={open}>
      {({ jobs }) => (
        <TablePanel
          title={t("openTitle")}
          about={t("openAbout")}
          columns={columns}
          rows={jobs}
          rowKey={({ id }) => id}
          actions={actions}
          bulkActions={<DismissMany jobs={jobs} />}
        />
      )}
    </LoadedQuietly>
  );
}

/** Dismisses all jobs at once except receipts and credit notes, which carry a fiscal number and are decided one by one. */
function DismissMany({ jobs }: { jobs: readonly PrintJob[] }) {
  const { t } = useTranslation(["printing", "common"]);
  const dismissed = jobs.filter(({ document }) => document !== "receipt" && document !== "credit-note");
  if (dismissed.length < 2) return null;
  const kinds = Map.groupBy(dismissed, ({ document }) => document);
  const what = [...kinds].map(([document, { length }]) => `${t(`document.${document}`)}: ${length}`).join(" · ");
  return (
    <ActionButton
      size="xs"
      label={t("dismissMany", { count: dismissed.length })}
      confirm={{
        title: t("dismissManyTitle", { count: dismissed.length }),
        body: `${what}. ${t("dismissManyBody")}`,
        submitLabel: t("common:dismiss"),
      }}
      run={() => callHub("dismissPrintJobs", { body: { jobIds: dismissed.map(({ id }) => id) } })}
      done={t("dismissed")}
    />
  );
}

/** Returns the columns: what a job is, where it goes, and its outcome. */
export function usePrintJobColumns(): Column<PrintJob>[] {
  const { t } = useTranslation(["printing", "common"]);
  const printers = useHub("printers").data?.printers ?? [];
  const nameOf = (printerId: string) => printers.find(({ id }) => id === printerId)?.name ?? t("noPrinter");
  return [
    {
      header: t("common:what"),
      width: "minmax(190px, 2fr)",
      cell: ({ document, posReference, copy }) => (
        <>
          <strong>{t(`document.${document}`)}</strong>
          {copy > 0 && <> · {t("copy", { copy })}</>}
          {posReference !== undefined && (
            <>
              {" "}
              <OrderLink posReference={posReference} />
            </>
          )}
        </>
      ),
    },
    {
      header: t("printer"),
      width: "minmax(120px, 1fr)",
      cell: ({ printerId, sentTo }) => (
        <>
          {nameOf(printerId)}
          {sentTo !== undefined && <> → {nameOf(sentTo)}</>}
        </>
      ),
    },
    {
      header: t("common:state"),
      width: "minmax(190px, 2fr)",
      cell: ({ state, isHeld, error, isOpen }) => (
        <>
          <StatusMark tone={isOpen || state === "printed" ? tones[state] : state === "unknown" ? "idle" : tones[state]}>
            {t(isHeld === true ? "held" : `state.${state}`)}
          </StatusMark>
          {error !== undefined && <span className="soft"> {t(`error.${error}`)}</span>}
        </>
      ),
    },
    { header: t("common:when"), width: "minmax(110px, 1fr)", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ];
}

/** Returns the actions for a job: print it again, or dismiss it. */
export function usePrintJobActions(): (job: PrintJob) => Action[] {
  const { t } = useTranslation(["printing", "common"]);
  return ({ id, state, document, posReference, isOpen, isPulseOnly = false }) => {
    const what = [t(`document.${document}`), posReference].filter(Boolean).join(" ");
    const isUnderWay = state === "waiting" || state === "printing";
    const again: Action = {
      label: t("again"),
      name: t("againOf", { what }),
      run: () => callHub("printAgain", { params: { jobId: id } }),
      done: t("reprintQueued"),
    };
    const dismiss: Action = {
      label: t("common:dismiss"),
      name: t("dismissOf", { what }),
      run: () => callHub("dismissPrintJob", { params: { jobId: id } }),
      done: t("dismissed"),
    };
    return [...(isUnderWay || isPulseOnly ? [] : [again]), ...(isOpen || state === "waiting" ? [dismiss] : [])];
  };
}
