import { Tabs } from "@mantine/core";
import type { LiveFloorPlan, PlanTable } from "@comanda/protocol";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { TimeAgo } from "../../components/time.tsx";
import { useHub } from "../../lib/hub.ts";
import { useIsManager } from "../../lib/session.ts";
import { useFormat } from "../../lib/format.ts";
import { FloorDrawing, Legend } from "./floor-drawing.tsx";
import { TableDetails } from "./table-details.tsx";

/** The floor plan: a tab per floor, each table where it stands. */
export function FloorPlanPanel() {
  const { t } = useTranslation("service");
  const plan = useHub("floorPlan");
  return (
    <Panel title={t("plan")} flush className="plan-panel">
      <Loaded query={plan} height={320}>
        {(data) => <Floors plan={data} />}
      </Loaded>
    </Panel>
  );
}

function Floors({ plan }: { plan: LiveFloorPlan }) {
  const { t } = useTranslation("service");
  const format = useFormat();
  const isManager = useIsManager();
  const [floorId, setFloorId] = useState<string | null>(null);
  const [tableId, setTableId] = useState<number | null>(null);
  const open = useCallback((table: PlanTable) => setTableId(table.tableId), []);
  const first = plan.floors[0];
  if (first === undefined) return <Empty title={t("planEmptyTitle")}>{t("planEmpty")}</Empty>;
  const chosen = plan.floors.flatMap((floor) => floor.tables).find((table) => table.tableId === tableId);
  return (
    <>
      {plan.stale && plan.fetchedAt !== null && (
        <p className="plan-note" data-tone="warn">
          {t("planStale")} (<TimeAgo at={plan.fetchedAt} />)
        </p>
      )}
      {plan.unknownTables.length > 0 && (
        <p className="plan-note" data-tone="warn">
          {t("unknownTables", {
            count: plan.unknownTables.length,
            tables: format.list(plan.unknownTables.map(String)),
          })}
        </p>
      )}
      <Tabs value={floorId ?? String(first.id)} onChange={setFloorId} keepMounted={false} className="plan-tabs">
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
          <Tabs.Panel key={floor.id} value={String(floor.id)} className="plan-floor">
            <FloorDrawing floor={floor} onOpen={isManager ? open : null} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Legend />
      {isManager && chosen !== undefined && <TableDetails table={chosen} onClose={() => setTableId(null)} />}
    </>
  );
}

function occupiedOf(tables: readonly PlanTable[]): string {
  return `${tables.filter((table) => table.status === "occupied").length}/${tables.length}`;
}
