import type { Loss, LossPage, OrderStatus } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton, type Action } from "../../components/forms/action-button.tsx";
import { FoldedTable } from "../../components/tables/folded-table.tsx";
import { useTableName } from "../../components/labels.ts";
import { OrderLink } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { LoadedQuietly } from "../../components/tables/loaded.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { combineReads } from "../../lib/combine-reads.ts";
import { callHub, useHub } from "../../lib/hub.ts";
import { usePaidInPart } from "./paid-in-part.ts";

/** What this hub lacks since a restore or of the hub before it, and the sources. Absent if there is no restore and no loss. */
export function LossPanel() {
  const { t } = useTranslation("system");
  const open = useHub("losses", { query: { state: "open", limit: 200 } });
  const settled = useHub("losses", { query: { state: "settled", limit: 200 } });
  return (
    <LoadedQuietly title={t("losses.title")} query={combineReads([open, settled])}>
      {([openPage, settledPage]) =>
        openPage !== undefined &&
        settledPage !== undefined &&
        openPage.restores.length + openPage.total + settledPage.total > 0 && (
          <Losses open={openPage} settled={settledPage} />
        )
      }
    </LoadedQuietly>
  );
}

function Losses({ open, settled }: { open: LossPage; settled: LossPage }) {
  const { t } = useTranslation("system");
  const columns = useColumns();
  const actions = useActions();
  const actionsOnAll = useActionsOnAll(open);
  const rowKey = (loss: Loss) => loss.lossId;
  const isRestored = open.restores.length > 0;
  const isOfFormerHub = open.losses.some(({ sources }) => sources.some(isFormerHub));
  return (
    <Panel
      title={t(isRestored ? "losses.title" : "losses.titleOfFormerHub")}
      about={[isRestored && t("losses.about"), isOfFormerHub && t("losses.aboutFormerHub")].filter(Boolean).join(" ")}
      flush
      actions={actionsOnAll.map((action) => (
        <ActionButton key={action.label} {...action} />
      ))}
    >
      <RestoreSummary page={open} />
      <Table columns={columns} rows={open.losses} rowKey={rowKey} actions={actions} empty={null} />
      <FoldedTable
        title={t("losses.settledList")}
        total={settled.total}
        columns={columns}
        rows={settled.losses}
        rowKey={rowKey}
      />
    </Panel>
  );
}

function isFormerHub(source: string): boolean {
  return source.startsWith("former_hub:");
}

/** Returns the actions on all losses at once. */
function useActionsOnAll({ total, losses }: LossPage): Action[] {
  const { t } = useTranslation("system");
  const count = losses.filter((loss) => loss.canTakeOver).length;
  const dismiss: Action = {
    label: t("losses.dismissAll"),
    confirm: {
      title: t("losses.dismissAllTitle", { count: total }),
      body: t("losses.dismissAllBody"),
      note: t("losses.dismissNote"),
    },
    run: (note) => callHub("dismissLosses", { body: { note } }),
    done: t("losses.dismissed"),
  };
  const recover: Action = {
    label: t("losses.recoverAll"),
    primary: true,
    confirm: { title: t("losses.recoverAllTitle", { count }), body: t("losses.recoverAllBody") },
    run: async () => {
      const { takenOver, refused } = await callHub("takeOverLosses", { body: {} });
      notify(t("losses.recoveredAll", { count: takenOver }));
      const references = refused.map(({ posReference }) => posReference).join(", ");
      if (refused.length > 0) notify(t("losses.refused", { references }), { bad: true });
    },
  };
  return [...(total > 1 ? [dismiss] : []), ...(count > 0 ? [recover] : [])];
}

/** Which restore it was, how much of the old file was readable, and whether the back-office was asked. */
function RestoreSummary({ page }: { page: LossPage }) {
  const { t, format } = useTranslation("system");
  const [restore] = page.restores;
  return (
    <div className="tools">
      {page.open === 0 ? (
        <StatusMark tone="good">{t("losses.none")}</StatusMark>
      ) : (
        <StatusMark tone="bad">{t("losses.count", { count: page.open })}</StatusMark>
      )}
      {restore !== undefined && (
        <span className="soft">
          {t(`losses.cause.${restore.cause}`, {
            time: format.dateTime(restore.at),
            by: restore.by ?? t("losses.commandLine"),
          })}{" "}
          {restore.cause === "restore" && t(`losses.read.${restore.read}`)}{" "}
          {restore.keptAside !== null && t("losses.keptAside", { name: restore.keptAside })}
        </span>
      )}
      {page.unasked > 0 && <StatusMark tone="warn">{t("losses.unasked", { count: page.unasked })}</StatusMark>}
    </div>
  );
}

function useColumns(): Column<Loss>[] {
  const { t, format } = useTranslation(["system", "common"]);
  const paidOf = usePaidInPart();
  const stateOf = (order: { status: OrderStatus; total: number; paid: number | null }) =>
    [t(`common:status.${order.status}`), format.money(order.total), paidOf(order)].filter(Boolean).join(", ");
  return [
    { header: t("losses.what"), cell: (loss) => <LossSummary loss={loss} /> },
    {
      header: t("losses.known"),
      cell: ({ known, backOffice }) => (
        <>
          {known.status !== null && known.total !== null && (
            <div className="num">{stateOf({ ...known, status: known.status, total: known.total })}</div>
          )}
          {backOffice !== null && (
            <div className="num">{t("losses.backOffice", { total: format.money(backOffice.total) })}</div>
          )}
          <KnownDetails known={known} />
        </>
      ),
    },
    {
      header: t("losses.now"),
      className: "num",
      cell: ({ present }) => (present === null ? t("losses.absent") : stateOf(present)),
    },
    {
      header: t("losses.sources"),
      cell: ({ sources, known }) => (
        <>
          <Sources sources={sources} />
          <div className="soft num">
            {format.dateTime(known.at)} {known.by}
          </div>
        </>
      ),
    },
  ];
}

/** What is missing of an order, and what to do about it or what was decided. */
function LossSummary({ loss }: { loss: Loss }) {
  const { t, format } = useTranslation(["system", "common"]);
  const { posReference, kind, mergedInto, present, settled } = loss;
  return (
    <>
      <strong>{t(`losses.kind.${kind}`)}</strong>
      <div>{present === null ? posReference : <OrderLink posReference={posReference} />}</div>
      {settled === null ? (
        <div className="soft">{t(`losses.todo.${remedyOf(loss)}`, { into: mergedInto.join(", ") })}</div>
      ) : (
        <div className="soft">
          {t(`losses.state.${loss.state}`, {
            by: settled.by === "hub" ? t("common:writer.hub") : settled.by,
            time: format.dateTime(settled.at),
          })}
          {settled.note !== null && <div>{settled.note}</div>}
        </div>
      )}
    </>
  );
}

/** A loss that cannot be recovered is compared and dismissed. */
function remedyOf(loss: Loss): Loss["kind"] | "compare" {
  const isNotCompared = loss.kind === "closed_by_back_office" || loss.kind === "not_listed";
  return loss.canTakeOver || isNotCompared ? loss.kind : "compare";
}

function KnownDetails({ known }: Pick<Loss, "known">) {
  const { t } = useTranslation(["system", "common"]);
  const tableName = useTableName();
  const { tableId, ticketNumber, customerName, itemCount } = known;
  const place = tableId === null ? ticketNumber : tableName(tableId);
  const items = itemCount === null ? null : t("common:items", { count: itemCount });
  return <div className="soft">{[place, customerName, items].filter(Boolean).join(", ")}</div>;
}

function Sources({ sources }: { sources: readonly string[] }) {
  const { t } = useTranslation("system");
  const names = sources.map((source) =>
    source.startsWith("terminal:")
      ? t("losses.source.terminal", { id: source.slice("terminal:".length) })
      : isFormerHub(source)
        ? t("losses.source.former_hub")
        : t(`losses.source.${source as "replaced_file" | "webhook_log" | "back_office" | "headquarters"}`),
  );
  return <div>{names.join(", ")}</div>;
}

function useActions(): (loss: Loss) => Action[] {
  const { t } = useTranslation(["system", "common"]);
  return ({ lossId, posReference, kind, mergedInto, canTakeOver }) => {
    const reference = posReference === "" ? t("losses.unlisted") : posReference;
    const recover: Action = {
      label: t("losses.recover"),
      name: t("losses.recoverOf", { reference }),
      primary: true,
      confirm: { body: t(`losses.will.${kind}`, { into: mergedInto.join(", ") }) },
      run: () => callHub("takeOverLoss", { params: { lossId }, body: {} }),
      done: t("losses.recovered", { reference }),
    };
    const dismiss: Action = {
      label: t("common:dismiss"),
      name: t("losses.dismissOf", { reference }),
      confirm: { body: t("losses.dismissBody"), note: t("losses.dismissNote") },
      run: (note) => callHub("dismissLoss", { params: { lossId }, body: { note } }),
      done: t("losses.dismissed"),
    };
    return canTakeOver ? [recover, dismiss] : [dismiss];
  };
}
