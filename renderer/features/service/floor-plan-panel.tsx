import { Tabs } from "@mantine/core";
import type { LiveFloorPlan, PlanTable } from "@comanda/protocol";
import { useCallback, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { useFound, useOnFound } from "../../lib/found.ts";
import { useHub } from "../../lib/hub.ts";
import { useIsManager } from "../../lib/session.ts";
import { useChoice } from "../../lib/still-offered.ts";
import { useNarrow } from "../../lib/use-narrow.ts";
import { FloorDrawing, Legend } from "./floor-drawing.tsx";
import { sortByFloor, TableCard } from "./table-card.tsx";
import { TableDetails } from "./table-details.tsx";

/** In CSS px. On a narrower plan to scale, the text is too small to read. */
const PLAN_WIDTH = 480;
const NAMED_TABLES = 12;

/** The floor plan: a tab per floor, each table in its place. */
export function FloorPlanPanel() {
  const { t } = useTranslation("service");
  return (
    <LoadedPanel title={t("plan")} flush className="plan-panel" query={useHub("floorPlan")} height={320}>
      {(plan) => <Floors plan={plan} />}
    </LoadedPanel>
  );
}

function Floors({ plan }: { plan: LiveFloorPlan }) {
  const { t } = useTranslation("service");
  const isManager = useIsManager();
  const [floorId, setFloorId] = useChoice(plan.floors.map(({ id }) => String(id)));
  const [tableId, setTableId] = useState<number | null>(null);
  const [body, isNarrow] = useNarrow(PLAN_WIDTH);
  const open = useCallback((table: PlanTable) => setTableId(table.tableId), []);
  const found = useFound("table");
  useOnFound(found, ({ id }) => {
    const floor = plan.floors.find(({ tables }) => tables.some((table) => String(table.tableId) === id));
    if (floor === undefined) return;
    setFloorId(String(floor.id));
    setTableId(Number(id));
  });
  const first = plan.floors[0];
  if (first === undefined) return <Empty title={t("planEmptyTitle")}>{t("planEmpty")}</Empty>;
  const shown = floorId ?? String(first.id);
  const chosen = plan.floors.flatMap((floor) => floor.tables).find((table) => table.tableId === tableId);
  return (
    <>
      {plan.stale && plan.fetchedAt !== null && (
        <p className="plan-note" data-tone="warn">
          {t("planStale")} (<TimeAgo at={plan.fetchedAt} />)
        </p>
      )}
      {plan.unknownTables.length > 0 && <UnknownTables tables={plan.unknownTables} />}
      <Tabs ref={body} value={shown} onChange={setFloorId} keepMounted={false} className="plan-tabs">
        {plan.floors.length > 1 && (
          <Tabs.List px="md">
            {plan.floors.map((floor) => (
              <Tabs.Tab key={floor.id} value={String(floor.id)}>
                {floor.name} <span className="soft num">{occupiedOf(floor.tables)}</span>
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
        {plan.floors.map((floor) => (
          <Tabs.Panel key={floor.id} value={String(floor.id)} className={isNarrow ? undefined : "plan-floor"}>
            {isNarrow ? (
              <ul className="plain-list plan-cards">
                {sortByFloor(floor.tables).map((table) => (
                  <TableCard key={table.tableId} table={table} onOpen={isManager ? open : null} />
                ))}
              </ul>
            ) : (
              <FloorDrawing floor={floor} onOpen={isManager ? open : null} foundId={found?.id} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
      {!isNarrow && <Legend />}
      {isManager && chosen !== undefined && <TableDetails table={chosen} onClose={() => setTableId(null)} />}
    </>
  );
}

/** Names only some of many tables, to leave the space to the plan. */
function UnknownTables({ tables }: { tables: readonly number[] }) {
  const { t, format } = useTranslation("service");
  const named = tables.slice(0, NAMED_TABLES).map(String);
  const more = tables.length - named.length;
  return (
    <p className="plan-note" data-tone="warn">
      {t("unknownTables", {
        count: tables.length,
        tables: format.list(more > 0 ? [...named, t("moreTables", { count: more })] : named),
      })}
    </p>
  );
}

function occupiedOf(tables: readonly PlanTable[]): string {
  return `${tables.filter((table) => table.status === "occupied").length}/${tables.length}`;
}
