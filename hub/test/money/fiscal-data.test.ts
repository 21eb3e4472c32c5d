import type { Refund } from "@comanda/protocol";
import Database from "better-sqlite3";
import { pino } from "pino";
import { expect, it } from "vitest";
import type { Change, Tx } from "../../changes/change.ts";
import { carryOver } from "../../db/restore/carry-over.ts";
import { migrate } from "../../db/migrate.ts";
import { fiscalRecorder } from "../../fiscal/fiscal-numbers.ts";
import { createFiscalRequests } from "../../fiscal/fiscal-requests.ts";
import { createRefundStore } from "../../fiscal/refund-store.ts";
import { createEventStore, forwardRecorder } from "../../forwarding/event-store.ts";
import { createNcfStore } from "../../orders/payments/ncf-store.ts";
import { realWorld } from "../../platform/world.ts";

const world = realWorld(pino({ level: "silent" }));

function dataFile(): Database.Database {
  const db = new Database(":memory:");
  db.pragma("foreign_keys = OFF");
  migrate(db, world);
  return db;
}

const usedNumbers = (db: Database.Database): unknown[] =>
  db.prepare("SELECT ncf, pos_reference FROM order_ncf ORDER BY ncf").raw().all();

it("fiscal numbers used after a backup stay used after its restore [FISC-24]", () => {
  const [restored, replaced] = [dataFile(), dataFile()];
  const save = (db: Database.Database, ncf: string, reference: string) =>
    db.prepare("INSERT INTO order_ncf (ncf, pos_reference) VALUES (?, ?)").run(ncf, reference);
  save(restored, "E320000000001", "A");
  save(replaced, "E320000000001", "A");
  save(replaced, "E320000000002", "B");
  carryOver(restored, replaced, 1, { isEarlier: false, isShort: false });
  expect(usedNumbers(restored)).toEqual([
    ["E320000000001", "A"],
    ["E320000000002", "B"],
  ]);
  restored.close();
  replaced.close();
});

it("refunds made after a backup survive its restore [FISC-319]", () => {
  const [restored, replaced] = [dataFile(), dataFile()];
  const tx: Tx = { now: 1, firstSeq: 1, nextSeq: () => 1, emit: () => {}, notify: () => {}, onUndo: () => {} };
  const save = (db: Database.Database, refundId: string, state: Refund["state"]) =>
    createRefundStore(db).save(tx, {
      posReference: "A",
      asksAll: false,
      isInDoubt: state === "pending",
      refund: {
        refundId,
        state,
        at: "2026-11-26T18:00:00.000Z",
        ...(state === "made" && { madeAt: "2026-11-26T18:00:01.000Z", ncf: `B04-${refundId}` }),
        by: "Marisol",
        terminalId: "caja",
        reason: null,
        lines: [{ lineId: "a", quantity: 1 }],
        amount: 100,
        refund: [],
      },
    });
  save(restored, "asked", "pending");
  save(restored, "open", "pending");
  save(replaced, "asked", "made");
  save(replaced, "open", "pending");
  save(replaced, "later", "made");
  for (const refundId of ["asked", "later"]) createRefundStore(replaced).noteContingency(tx, refundId, true);
  // Settled by a manager after the backup.
  for (const db of [restored, replaced]) save(db, "settled", "made");
  createRefundStore(restored).noteContingency(tx, "settled", true);
  carryOver(restored, replaced, 1, { isEarlier: false, isShort: false });
  const stateOf = ({ refundId, state }: Refund) => [refundId, state];
  expect(createRefundStore(restored).listByOrder("A").map(stateOf)).toEqual([
    ["asked", "made"],
    ["open", "pending"],
    ["settled", "made"],
    ["later", "made"],
  ]);
  const onPaper = createRefundStore(restored).listInContingency();
  expect(onPaper.map(({ refund }) => refund.refundId).toSorted()).toEqual(["asked", "later"]);
  restored.close();
  replaced.close();
});

it("a credit note counts once after a restore, as the record with a way of repayment [FISC-319, FISC-318]", () => {
  const [restored, replaced] = [dataFile(), dataFile()];
  const tx: Tx = { now: 1, firstSeq: 1, nextSeq: () => 1, emit: () => {}, notify: () => {}, onUndo: () => {} };
  const at = "2026-11-26T18:00:00.000Z";
  const save = (db: Database.Database, refundId: string, ncf: string, refund: Refund["refund"]) => {
    const fields = { refundId, state: "made", at, madeAt: at, ncf, by: "Marisol", terminalId: "caja" } as const;
    const note: Refund = { ...fields, reason: null, lines: [], amount: 100, refund };
    createRefundStore(db).save(tx, { posReference: "A", asksAll: true, isInDoubt: false, refund: note });
  };
  const money = [{ methodId: 1, amount: 100 }];
  // Notes from before the backup whose money was given back after it: once under the note's id, once under another.
  for (const ncf of ["B0400000001", "B0400000002"]) save(restored, `note-${ncf}`, ncf, []);
  save(replaced, "note-B0400000001", "B0400000001", money);
  save(replaced, "given-back", "B0400000002", money);
  // The file that was set aside may be the older one.
  save(restored, "newer", "B0400000003", money);
  save(replaced, "note-B0400000003", "B0400000003", []);
  for (const each of ["note-B0400000001", "note-B0400000002"]) {
    createRefundStore(restored).noteContingency(tx, each, true);
  }
  createRefundStore(replaced).noteContingency(tx, "note-B0400000001", true);
  carryOver(restored, replaced, 1, { isEarlier: false, isShort: false });
  const refunds = createRefundStore(restored);
  expect(refunds.listByOrder("A").map(({ refundId, refund }) => [refundId, refund.length])).toEqual([
    ["note-B0400000001", 1],
    ["newer", 1],
    ["given-back", 1],
  ]);
  // The second note was settled after the backup.
  expect(refunds.listInContingency().map(({ refund }) => refund.ncf)).toEqual(["B0400000001"]);
  restored.close();
  replaced.close();
});

it("an order stored again with a refused number is held until a manager decides [FISC-25]", () => {
  const db = dataFile();
  const [events, ncfs, fiscalRequests] = [createEventStore(db), createNcfStore(db), createFiscalRequests(db)];
  const fiscal = { status: "failed", type: "B01", error: "the sequence B01 is used up", errorCode: "NCF_EXHAUSTED" };
  const order = { posReference: "A", version: 3, snapshot: { status: "paid", fiscal } };
  const change = { kind: "order.stored", event: "paid", did: "paid", order } as unknown as Change;
  const tx: Tx = { now: 1, firstSeq: 1, nextSeq: () => 1, emit: () => {}, notify: () => {}, onUndo: () => {} };
  for (const record of [forwardRecorder(events), fiscalRecorder({ ncfs, fiscalRequests })]) record(change, tx);
  expect(events.nextBatch(0, 10)).toEqual([]);
  expect(events.counts()).toMatchObject({ pending: 1 });
  expect(fiscalRequests.listFailed()).toMatchObject([{ posReference: "A", type: "B01", errorCode: "NCF_EXHAUSTED" }]);
  expect(fiscalRequests.listDue(1, true)).toEqual([]);
  db.close();
});
