import { pino } from "pino";
import { expect, it } from "vitest";
import { openMemory } from "../../db/open.ts";
import { realWorld } from "../../platform/world.ts";
import { fullScansOf, planOf, statementsOf } from "../../test/support/data/query-plan.ts";
import { createChangedRows } from "./changed-rows.ts";

it("changed rows are found by their position without reading years of checks [CHAIN-1]", () => {
  const db = openMemory(realWorld(pino({ level: "silent" })));
  const statements = statementsOf(db, () => createChangedRows(db)).filter((sql) => !sql.includes("FROM seals"));
  const large = ["orders", "order_versions", "removed_orders"];
  expect(statements.length).toBeGreaterThan(5);
  for (const sql of statements) expect(fullScansOf(planOf(db, sql), large, ["order_active"]), sql).toEqual([]);
  // This query runs after each commit: it must find the first rows without sorting the rest.
  const changed = statements.find((sql) => sql.includes("LIMIT @limit")) ?? "";
  expect(planOf(db, changed).filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
});
