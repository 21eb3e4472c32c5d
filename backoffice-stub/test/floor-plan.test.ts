import { FloorPlanSaveAnswer } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { event, order } from "./builders.ts";
import { startTestBackOffice } from "./start-test-back-office.ts";

describe("floor-plan/save", () => {
  it("saving a floor plan changes tables and the layout mode, and returns the floor as in bootstrap [BO-60]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("manager");
    const answer = await post("/floor-plan/save", {
      floorId: 5,
      layout_mode: "free",
      create: [{ name: "Barra", seats: 3, x: 5, y: 6, width: 120, height: 40, shape: "square" }],
      update: [{ id: 61, name: "Terraza A", x: 99.5 }],
      delete: [62, 63],
    });
    expect(answer.status).toBe(200);
    const { floor } = FloorPlanSaveAnswer.parse(answer.body);
    expect(floor).toMatchObject({ id: 5, layoutMode: "free" });
    expect(floor.tables.map((table) => table.name)).toEqual([
      "Terraza A",
      "Terraza 4",
      "Terraza 5",
      "Terraza 6",
      "Terraza 7",
      "Terraza 8",
      "Barra",
    ]);
    expect(floor.tables[0]).toMatchObject({ id: 61, x: 99.5, y: 30, seats: 2, shape: "round" });
    expect(floor.tables.at(-1)).toMatchObject({ seats: 3, width: 120, state: "available" });
    await office.restart();
    expect((await post("/bootstrap")).body.config.floors[1]).toEqual(floor);
    expect((await post("/floor-plan/save", { floorId: 5 })).body).toEqual({ floor });
  });

  it("saving a floor plan does all or nothing [BO-61]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("manager");
    const { floors } = (await post("/bootstrap")).body.config;
    const good = {
      floorId: 3,
      layout_mode: "free",
      create: [{ name: "X", seats: 2 }],
      update: [{ id: 28, name: "Y" }],
    };
    const bad = [
      [{ ...good, delete: [999] }, 404, "NOT_FOUND"],
      [{ ...good, delete: [61] }, 404, "NOT_FOUND"],
      [{ ...good, update: [{ id: 28, name: "Y" }, { id: 999 }] }, 404, "NOT_FOUND"],
      [{ ...good, floorId: 4 }, 404, "NOT_FOUND"],
      [{ ...good, layout_mode: "round" }, 400, "VALIDATION_ERROR"],
      [{ ...good, create: [{ seats: 2 }] }, 400, "VALIDATION_ERROR"],
      [{ ...good, update: [{ id: 28, seats: 0 }] }, 400, "VALIDATION_ERROR"],
      [{ ...good, delete: "all" }, 400, "VALIDATION_ERROR"],
    ] as const;
    for (const [body, status, errorCode] of bad) {
      expect(await post("/floor-plan/save", body)).toMatchObject({ status, body: { errorCode } });
    }
    expect((await post("/bootstrap")).body.config.floors).toEqual(floors);
  });

  it("a table with an open order cannot be deleted until the order is paid [BO-62]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("manager");
    await post("/orders/create", order("POS/1", { tableId: 31 }));
    const save = { floorId: 3, update: [{ id: 28, name: "Y" }], delete: [30, 31] };
    expect(await post("/floor-plan/save", save)).toMatchObject({ status: 409, body: { errorCode: "TABLE_IN_USE" } });
    expect((await post("/bootstrap")).body.config.floors[0].tables).toHaveLength(10);
    await post("/hub/finalize", event("e1", "POS/1"));
    expect((await post("/floor-plan/save", save)).body.floor.tables).toHaveLength(8);
  });

  it("only managers can save a floor plan [BO-63]", async () => {
    const office = await startTestBackOffice();
    for (const [login, status] of [
      ["waiter", 403],
      ["cashier", 403],
      ["clerk", 200],
      ["manager", 200],
    ] as const) {
      const post = await office.signIn(login);
      expect((await post("/floor-plan/save", { floorId: 3 })).status).toBe(status);
    }
  });

  it("the id of a deleted table is never used again [BO-64]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("manager");
    const add = { floorId: 3, create: [{ name: "Extra", seats: 2 }] };
    const first = (await post("/floor-plan/save", add)).body.floor.tables.at(-1).id;
    const second = (await post("/floor-plan/save", { ...add, delete: [first] })).body.floor.tables.at(-1).id;
    expect(second).toBeGreaterThan(first);
  });
});
