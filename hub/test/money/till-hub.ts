import type { HubMessage } from "@comanda/protocol";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHubOptions } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

export const CASH = 1;
export const CARD = 2;

export type TillHub = Awaited<ReturnType<typeof startTillHub>>;

/** Starts a hub with a loaded menu and a cashier at the terminal `front`, and returns helpers for its tills. */
export async function startTillHub(options: TestHubOptions = {}) {
  const hub = await startTestHub(options);
  await until("the menu is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
  const front = await hub.terminal({ login: "cashier", deviceId: "front" });
  const operator = operatorOf(hub);
  let checks = 0;

  /** Opens a check with this total and returns its reference. */
  async function check(
    total: number,
    terminal: TestTerminal = front,
    overrides: Record<string, unknown> = {},
  ): Promise<string> {
    checks += 1;
    const posReference = `C-${checks}`;
    const lines = [{ id: "a", productId: 101, quantity: 1, unitPrice: total, total }];
    const snapshot = terminalSnapshot({ lines, ...overrides });
    await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
    return posReference;
  }

  return {
    hub,
    front,
    operator,
    check,

    addTill: (more: Record<string, unknown> = {}) =>
      operator("createTill", { body: { id: "bar", name: "Barra", terminals: ["front"], ...more } }),

    /** Adds a printer with a drawer as the default receipt printer. Returns its id. */
    async addPrinter(): Promise<string> {
      const printer = { name: "Caja", address: "tcp://127.0.0.1:9", width: 80, cutter: true, drawer: true };
      const { id } = (await operator("addPrinter", { body: printer })).body as { id: string };
      await operator("setPrintRoutes", { body: { receipts: id } });
      return id;
    },

    async openShift(float = 1_000, terminal: TestTerminal = front, tillId = "bar"): Promise<string> {
      const shiftId = crypto.randomUUID();
      const answer = await requestTill(terminal, { type: "TILL_OPEN", tillId, shiftId, float });
      expect(answer).toMatchObject({ type: "TILL_ACK", tillId, shiftId });
      return shiftId;
    },

    async pay(total: number, methodId = CASH, more: Record<string, unknown> = {}, terminal: TestTerminal = front) {
      const posReference = await check(total, terminal);
      const payments = [{ methodId, amount: total, ...more }];
      await terminal.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments });
      return posReference;
    },

    report: async (shiftId: string) => (await operator("shift", { params: { shiftId } })).body,
    noShift: async () => (await operator("noShift")).body,
  };
}

/** Sends a mutation and returns the hub's answer without its `requestId`. */
export async function requestTill(terminal: TestTerminal, message: Record<string, unknown>): Promise<HubMessage> {
  const answer = (await terminal.request({ mutationId: crypto.randomUUID(), ...message })) as object;
  const { requestId: _, ...fields } = answer as { requestId?: string };
  return fields as HubMessage;
}

export const count = (shiftId: string, cash: number, more: Record<string, unknown> = {}) => ({
  type: "TILL_COUNT",
  shiftId,
  counted: [{ methodId: CASH, amount: cash }],
  ...more,
});

/** Reads the print jobs from the data file. */
export function readJobs(dbPath: string) {
  const db = new Database(dbPath, { readonly: true });
  try {
    return db
      .prepare<[], { cause: string; document: string; printer: string; blocks: string; pulse: string | null }>(
        "SELECT cause, document, printer_id AS printer, blocks, pulse FROM print_jobs ORDER BY id",
      )
      .all();
  } finally {
    db.close();
  }
}
