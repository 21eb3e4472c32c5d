import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useCheckTitles } from "../../../lib/labels/check-title.ts";
import { useInUse } from "../../../lib/connection/in-use.ts";
import { useLive } from "../../../lib/connection/pos.ts";
import { targetsOf } from "./targets.ts";
import { useTableLocks } from "./use-table-locks.ts";

/** The checks and tables to choose from as targets, with their usual names, table by table as on the plan. */
export function TargetPicker({
  from,
  onCheck,
  onTable,
  onNew,
}: {
  from: LocalOrder;
  /** Called with the chosen check; without it, checks are no targets. */
  onCheck?: (order: LocalOrder, name: string) => void;
  /** Called with the chosen table. With `onCheck`, only tables without checks are targets, otherwise all. */
  onTable?: (tableId: number, name: string) => void;
  /** Called for a new check at the same table. */
  onNew?: () => void;
}) {
  const { t, format } = useTranslation(["check", "floor"]);
  const titleOf = useCheckTitles();
  const orders = useLive("orders");
  const plan = useLive("floors")?.floors ?? [];
  const inUse = useInUse();
  const locks = useTableLocks();
  const { floors: areas, others } = targetsOf(from, orders, plan);
  const floors =
    onTable === undefined ? areas.filter(({ tables }) => tables.some(({ checks }) => checks.length > 0)) : areas;
  const checkButton = (order: LocalOrder, name: string) => (
    <ActButton key={order.posReference} className="target" onAct={() => onCheck?.(order, titleOf(order.snapshot))}>
      <strong>{name}</strong>
      <span className="target-about">
        {joinWithDots(
          order.snapshot.customerName || order.snapshot.staffName,
          format.money(order.snapshot.totals.total),
        )}
        <UsedBy name={inUse(order.posReference)?.userName} />
      </span>
    </ActButton>
  );
  return (
    <div className="stack targets">
      {onNew !== undefined && (
        <ActButton kind="main" onAct={onNew}>
          {t("newCheck")}
        </ActButton>
      )}
      {onCheck !== undefined && others.length > 0 && (
        <section>
          <h3>{t("noTable")}</h3>
          <div className="targets-grid">{others.map((order) => checkButton(order, titleOf(order.snapshot)))}</div>
        </section>
      )}
      {floors.length === 0 && others.length === 0 && <p>{t("noOtherCheck")}</p>}
      {floors.map(({ name, tables }) => (
        <section key={name}>
          <h3>{name}</h3>
          <div className="targets-grid">
            {tables.map(({ tableId, name: tableName, checks, isHere }) =>
              onTable !== undefined && (onCheck === undefined || (checks.length === 0 && !isHere)) ? (
                <ActButton key={tableId} className="target" disabled={isHere} onAct={() => onTable(tableId, tableName)}>
                  <strong>{tableName}</strong>
                  <span className="target-about">
                    {locks.get(tableId) ??
                      (isHere
                        ? t("here")
                        : checks.length === 0
                          ? t("floor:state.free")
                          : t("hasChecks", { count: checks.length }))}
                  </span>
                </ActButton>
              ) : (
                checks.map((order) => checkButton(order, tableName))
              ),
            )}
          </div>
        </section>
      ))}
    </div>
  );
}

/** Warns that a check is in use: an act on it waits until it is free. */
function UsedBy({ name }: { name: string | undefined }) {
  const { t } = useTranslation(["check", "inUse"]);
  return name !== undefined && <span className="target-used">{t("inUse:usedBy", { name })}</span>;
}
