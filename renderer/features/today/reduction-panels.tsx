import type { SalesReport, Reduction, ReductionGroup } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { orderColumn } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { useNow } from "../../lib/hub-time.ts";
import { useDishName } from "./use-dish-name.ts";

const texts = {
  discounts: { about: "discountsAbout", none: "noDiscounts" },
  voids: { about: "voidsAbout", none: "noVoids" },
  comps: { about: "compsAbout", none: "noComps" },
} as const;

/** One kind of deduction, the largest first, each with its check, its reason and the person. */
export function ReductionPanel({ kind, list }: { kind: keyof typeof texts; list: SalesReport["voids"] }) {
  const { count, amount, largest, byReason, byPerson } = list;
  const { t, format } = useTranslation("today");
  const { about, none } = texts[kind];
  const columns = useColumns();
  return (
    <Panel
      title={t(kind)}
      about={count === 0 ? t(none) : t(about, { count, amount: format.money(amount) })}
      flush={count > 0}
    >
      {count > 1 && (
        <div className="taken-groups">
          <Groups title={t("byReason")} groups={byReason} none={t("noReason")} />
          <Groups title={t("byPerson")} groups={byPerson} none={t("nobody")} />
        </div>
      )}
      {count > 0 && <Table columns={columns} rows={largest.map(withKey)} rowKey={({ key }) => key} />}
      {count > largest.length && <p className="soft list-end">{t("largestOnly", { count: largest.length })}</p>}
    </Panel>
  );
}

/** The number and the sum of each group. */
function Groups({ title, groups, none }: { title: string; groups: readonly ReductionGroup[]; none: string }) {
  const { t, format } = useTranslation(["today", "common"]);
  return (
    <table className="taken-group">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col" className="right">
            {t("count")}
          </th>
          <th scope="col" className="right">
            {t("common:amount")}
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ name, count, amount }) => (
          <tr key={name ?? ""}>
            <th scope="row">{name ?? none}</th>
            <td className="num right">{format.number(count)}</td>
            <td className="num right">{format.money(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Row extends Reduction {
  key: number;
}

const withKey = (row: Reduction, key: number): Row => ({ ...row, key });

function useColumns(): Column<Row>[] {
  const { t, format } = useTranslation(["today", "common"]);
  const dishName = useDishName();
  return [
    orderColumn(t("common:order")),
    {
      header: t("common:what"),
      cell: ({ productId, quantity = 1, isDiscarded }) => (
        <>
          {productId === undefined ? t("wholeCheck") : `${format.quantity(quantity)} × ${dishName(productId)}`}
          {isDiscarded && <span className="soft"> · {t("discarded")}</span>}
        </>
      ),
    },
    {
      header: t("common:who"),
      cell: ({ staffName, by }) => <People name={staffName ?? t("nobody")} allowedBy={by} />,
    },
    { header: t("common:reason"), isLong: true, cell: ({ reason }) => reason ?? "–" },
    { header: t("common:amount"), numeric: true, cell: ({ amount }) => format.money(amount) },
  ];
}

/** Refunds by credit note, newest first. */
export function RefundPanel({ refunds }: Pick<SalesReport, "refunds">) {
  const { t, format } = useTranslation(["today", "common"]);
  const now = useNow();
  return (
    <Panel
      title={t("refunds")}
      about={t(refunds.length === 0 ? "noRefunds" : "refundsAbout")}
      flush={refunds.length > 0}
    >
      <Table
        columns={[
          orderColumn(t("common:order")),
          { header: t("common:when"), className: "num", cell: ({ at }) => format.when(at, now) },
          { header: t("common:who"), cell: ({ by, approvedBy }) => <People name={by} allowedBy={approvedBy} /> },
          { header: t("common:reason"), isLong: true, cell: ({ reason }) => reason ?? "–" },
          { header: t("common:amount"), numeric: true, cell: ({ amount }) => format.money(amount) },
        ]}
        rows={refunds}
        rowKey={({ posReference, at }) => `${posReference} ${at}`}
        empty={null}
      />
    </Panel>
  );
}

/** Who did it, and who allowed it where that was somebody else. */
function People({ name, allowedBy }: { name: string; allowedBy: string | undefined }) {
  const { t } = useTranslation("today");
  return (
    <>
      {name}
      {allowedBy !== undefined && <span className="soft"> · {t("allowedBy", { name: allowedBy })}</span>}
    </>
  );
}
