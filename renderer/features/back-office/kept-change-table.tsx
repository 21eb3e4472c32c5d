import type { KeptChange } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton, type Action } from "../../components/forms/action-button.tsx";
import { FoldedTable } from "../../components/tables/folded-table.tsx";
import { useCatalogue } from "../../components/labels.ts";
import { LoadedQuietly, LoadedTable } from "../../components/tables/loaded.tsx";
import { OrderLink } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useHubText } from "@comanda/ui/hub-sentences.ts";
import type { Column } from "../../components/tables/table.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { OrderFacts } from "../orders/order-facts.tsx";

export const openChanges = { query: { state: "open", limit: 200 } } as const;
const settledChanges = { query: { state: "settled", limit: 200 } } as const;

/** Changes made under a PIN that was reset or on a device that was deleted, until a manager decides on them. */
export function KeptChangeTable() {
  const { t } = useTranslation(["backOffice", "common"]);
  const changes = useHub("keptChanges", openChanges);
  const settled = useHub("keptChanges", settledChanges);
  const typeOf = useType();
  const columns = useColumns();
  const nameOf = (change: KeptChange) =>
    [typeOf(change), ...change.orders.map(({ posReference }) => posReference)].join(" ");
  const rowKey = (change: KeptChange) => change.changeId;
  const apply = (change: KeptChange): Action => ({
    label: t("keptChange.apply"),
    name: t("keptChange.applyOf", { what: nameOf(change), name: change.userName }),
    primary: true,
    confirm: {
      title: t("keptChange.applyTitle", { name: change.userName }),
      body: `${nameOf(change)}. ${t("keptChange.applyBody")}`,
    },
    run: () => callHub("applyKeptChange", { params: { changeId: change.changeId }, body: {} }),
    done: t("keptChange.applied"),
  });
  const dismiss = (change: KeptChange): Action => ({
    label: t("common:dismiss"),
    name: t("keptChange.dismissOf", { what: nameOf(change), name: change.userName }),
    confirm: {
      title: t("keptChange.dismissTitle", { name: change.userName }),
      body: `${nameOf(change)}. ${t("keptChange.dismissBody")}`,
      note: t("keptChange.dismissNote"),
    },
    run: (note) => callHub("dismissKeptChange", { params: { changeId: change.changeId }, body: { note } }),
    done: t("keptChange.dismissed"),
  });
  const dismissAll: Action = {
    label: t("keptChange.dismissAll"),
    confirm: {
      title: t("keptChange.dismissAllTitle", { count: changes.data?.total ?? 0 }),
      body: t("keptChange.dismissAllBody"),
      note: t("keptChange.dismissAllNote"),
    },
    run: (note) => callHub("dismissKeptChanges", { body: { note } }),
    done: t("keptChange.allDismissed"),
  };
  const hasMany = (changes.data?.total ?? 0) > 1;
  return (
    <Panel
      title={t("blocker.keptChanges")}
      about={t("keptChange.about")}
      actions={hasMany ? <ActionButton {...dismissAll} size="xs" /> : undefined}
      flush
    >
      <LoadedTable
        query={changes}
        columns={columns}
        rows={(page) => page.changes}
        rowKey={rowKey}
        actions={(change) => (change.type === null ? [dismiss(change)] : [apply(change), dismiss(change)])}
        empty={{ title: t("keptChange.noneTitle"), children: t("keptChange.none") }}
      />
      <LoadedQuietly query={settled}>
        {(page) => (
          <FoldedTable
            title={t("keptChange.settledList")}
            total={page.total}
            columns={columns}
            rows={page.changes}
            rowKey={rowKey}
          />
        )}
      </LoadedQuietly>
    </Panel>
  );
}

/** Returns a function that names the kind of a change. */
function useType(): (change: KeptChange) => string {
  const { t } = useTranslation("backOffice");
  return ({ type, orders }) => {
    if (type === null) return t("keptChange.unreadable");
    const opens = type === "ORDER_UPSERT" && orders.some(({ change }) => change?.kind === "created");
    return t(opens ? "keptChange.type.created" : `keptChange.type.${type}`);
  };
}

function useColumns(): Column<KeptChange>[] {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const typeOf = useType();
  const hubText = useHubText();
  const { products } = useCatalogue();
  return [
    {
      header: t("keptChange.what"),
      isLong: true,
      cell: (change) => {
        const { orders, item, move, reason, settled } = change;
        return (
          <>
            <strong>{typeOf(change)}</strong>
            {orders.map(
              (order) => order.change !== null && <OrderFacts key={order.posReference} facts={order.change.facts} />,
            )}
            {item !== undefined && (
              <div>{t(`keptChange.item.${item.state}`, { item: products[item.productId] ?? item.productId })}</div>
            )}
            {move !== undefined && (
              <div>{t(`keptChange.move.${move.kind}`, { amount: format.money(move.amount) })}</div>
            )}
            {reason !== undefined && <div className="soft">{t("keptChange.reason", { reason })}</div>}
            {settled !== null && (
              <div className="soft">
                {t(settled.how === "applied" ? "keptChange.wasApplied" : "keptChange.wasDismissed", {
                  by: settled.by,
                  time: format.dateTime(settled.at),
                })}
                {settled.note !== null && <div>{hubText(settled.note)}</div>}
              </div>
            )}
          </>
        );
      },
    },
    {
      header: t("common:order"),
      cell: ({ orders }) =>
        orders.map(({ posReference, status }) => (
          <div key={posReference}>
            {status === null ? posReference : <OrderLink posReference={posReference} />}
            {status === null && <div className="soft">{t("keptChange.notOnHub")}</div>}
          </div>
        )),
    },
    {
      header: t("common:who"),
      cell: ({ userName, terminalId, unsentBehind }) => (
        <>
          {userName} <span className="soft">{terminalId}</span>
          {unsentBehind > 0 && <div className="soft">{t("keptChange.behind", { count: unsentBehind })}</div>}
        </>
      ),
    },
    {
      header: t("common:when"),
      className: "num",
      cell: ({ queuedAt, receivedAt }) => (
        <>
          {format.dateTime(queuedAt ?? receivedAt)}
          {queuedAt !== null && (
            <div className="soft">{t("keptChange.cameAt", { time: format.dateTime(receivedAt) })}</div>
          )}
        </>
      ),
    },
  ];
}
