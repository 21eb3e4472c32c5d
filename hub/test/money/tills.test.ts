import { type HubMessageOf, type Sentence, sentenceInEnglish } from "@comanda/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { send } from "../support/send.ts";
import type { TestHub } from "../support/start-test-hub.ts";
import { startWithPins } from "../support/start-with-pins.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";
import { requestTill, CARD, CASH, count, readJobs, startTillHub, type TillHub } from "./till-hub.ts";

let tillHub: TillHub;
let hub: TestHub;
let front: TestTerminal;

beforeEach(async () => {
  tillHub = await startTillHub();
  ({ hub, front } = tillHub);
});

const operator: TillHub["operator"] = (...args) => tillHub.operator(...args);
const addTill: TillHub["addTill"] = (...args) => tillHub.addTill(...args);
const openShift: TillHub["openShift"] = (...args) => tillHub.openShift(...args);
const check: TillHub["check"] = (...args) => tillHub.check(...args);
const pay: TillHub["pay"] = (...args) => tillHub.pay(...args);
const report: TillHub["report"] = (...args) => tillHub.report(...args);
const noShift: TillHub["noShift"] = () => tillHub.noShift();

it("a shift is opened, used, counted and reported without the back-office [HUB-171]", async () => {
  const offlineHub = await startTillHub({ ownBackOffice: true });
  await offlineHub.addTill();
  const manager = await offlineHub.hub.terminal({ login: "manager", deviceId: "office" });
  await offlineHub.hub.backOffice.kill();
  const shiftId = await offlineHub.openShift(1_000);
  await offlineHub.pay(500);
  await offlineHub.pay(300, CARD);
  expect(await requestTill(offlineHub.front, count(shiftId, 10))).toMatchObject({ errorCode: "APPROVAL_NEEDED" });
  expect(await requestTill(manager, count(shiftId, 1_500))).toMatchObject({ type: "TILL_ACK" });
  const closed = await offlineHub.report(shiftId);
  expect(closed).toMatchObject({ state: "closed", difference: 0 });
  const { body: closing } = await offlineHub.operator("closing");
  expect(closing).toMatchObject({ ready: false });
});

describe("a till", () => {
  it("a till is added, changed and deleted by managers, but not while its shift is open [TILL-1]", async () => {
    expect(await addTill()).toMatchObject({
      status: 201,
      body: { till: { id: "bar", name: "Barra", terminals: ["front"], shift: null } },
    });
    expect(await addTill({ id: "other", name: "Otra" })).toMatchObject({ status: 400 });
    const printer = await tillHub.addPrinter();
    const changed = await operator("changeTill", { params: { tillId: "bar" }, body: { name: "Bar", printer } });
    expect(changed.body.till).toMatchObject({ name: "Bar", printer, terminals: ["front"] });
    const shiftId = await openShift();
    expect(await operator("deleteTill", { params: { tillId: "bar" } })).toMatchObject({
      status: 409,
      body: { errorCode: "SHIFT_OPEN" },
    });
    await requestTill(front, count(shiftId, 1_000));
    expect((await operator("deleteTill", { params: { tillId: "bar" } })).body).toEqual({ deleted: true });
    expect((await operator("tills")).body.tills).toEqual([]);
    expect((await report(shiftId)).tillName).toBe("Bar");
  });

  it("a till's printer must exist, and stays set when it is removed later [TILL-1]", async () => {
    const unknown = {
      status: 400,
      body: { errorCode: "VALIDATION_ERROR", error: "printer: there is no printer none" },
    };
    expect(await addTill({ printer: "none" })).toMatchObject(unknown);
    expect((await operator("tills")).body.tills).toEqual([]);
    const printer = await tillHub.addPrinter();
    await addTill({ printer });
    const params = { tillId: "bar" };
    expect(await operator("changeTill", { params, body: { name: "Bar", printer: "none" } })).toMatchObject(unknown);
    expect((await operator("tills")).body.tills).toMatchObject([{ name: "Barra", printer }]);
    await operator("removePrinter", { params: { printerId: printer } });
    const body = { name: "Bar", printer };
    expect(await operator("changeTill", { params, body })).toMatchObject({
      status: 200,
      body: { till: { name: "Bar" } },
    });
    const without = await operator("changeTill", { params, body: { printer: null } });
    expect(without.body.till).not.toHaveProperty("printer");
  });

  it("a till has one open shift, which a cashier opens with a valid float [TILL-2]", async () => {
    const open = { type: "TILL_OPEN", tillId: "bar", shiftId: crypto.randomUUID(), float: 0 };
    expect(await requestTill(front, open)).toMatchObject({
      type: "TILL_REJECTED",
      errorCode: "NO_TILL",
      retryable: false,
    });
    await addTill();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    expect(await requestTill(waiter, open)).toMatchObject({ type: "TILL_REJECTED", errorCode: "FORBIDDEN" });
    await openShift(0);
    expect(await requestTill(front, open)).toMatchObject({ type: "TILL_REJECTED", errorCode: "SHIFT_OPEN" });
    for (const float of [-1, 1.005]) {
      expect(await requestTill(front, { ...open, float })).toMatchObject({
        type: "TILL_REJECTED",
        errorCode: "VALIDATION_ERROR",
      });
    }
  });

  it("a float may use only currencies that the restaurant accepts [TILL-2]", async () => {
    await addTill();
    const open = { type: "TILL_OPEN", tillId: "bar", shiftId: crypto.randomUUID(), float: 0 };
    const inCurrencies = (...currencies: string[]) => currencies.map((currency) => ({ currency, amount: 20 }));
    const refused = { type: "TILL_REJECTED", errorCode: "VALIDATION_ERROR", error: expect.stringContaining("GBP") };
    expect(await requestTill(front, { ...open, floats: inCurrencies("USD", "GBP") })).toMatchObject(refused);
    expect(await requestTill(front, { ...open, floats: inCurrencies("USD") })).toMatchObject({ type: "TILL_ACK" });
  });

  it("cash moves in and out of a till while its shift is open [TILL-3]", async () => {
    await addTill();
    const shiftId = await openShift(1_000);
    const move = { type: "TILL_MOVE", shiftId, reason: "cambio" };
    expect(await requestTill(front, { ...move, kind: "in", amount: 500 })).toMatchObject({ type: "TILL_ACK", shiftId });
    await requestTill(front, { ...move, kind: "out", amount: 200, cause: "tips", userName: "Ana" });
    // Moving out more than the drawer holds is not refused, so a refusal cannot reveal its content.
    await requestTill(front, { ...move, kind: "drop", amount: 90_000 });
    expect(await requestTill(front, { ...move, kind: "out", amount: 0 })).toMatchObject({
      errorCode: "VALIDATION_ERROR",
    });
    const { byMethod, moves } = await report(shiftId);
    expect(moves).toMatchObject([
      { kind: "in", amount: 500, by: front.hello.user.name, terminalId: "front" },
      { kind: "out", amount: 200, cause: "tips", userName: "Ana" },
      { kind: "drop", amount: 90_000 },
    ]);
    expect(byMethod).toMatchObject([{ methodId: 1, sales: 0, expected: 1_000 + 500 - 200 - 90_000 }]);
    await requestTill(front, count(shiftId, 0));
    expect(await requestTill(front, { ...move, kind: "in", amount: 5 })).toMatchObject({ errorCode: "SHIFT_CLOSED" });
  });

  it("a till mutation is carried out once, also after a restart [TILL-4]", async () => {
    await addTill();
    const shiftId = await openShift();
    const move = { type: "TILL_MOVE", mutationId: crypto.randomUUID(), shiftId, kind: "in", amount: 50, reason: "x" };
    expect(await requestTill(front, move)).not.toHaveProperty("duplicate");
    await hub.restart();
    front = await hub.terminal({ login: "cashier", deviceId: "front", deviceKey: front.hello.deviceKey });
    expect(await requestTill(front, { ...move, queuedAt: new Date().toISOString() })).toMatchObject({
      type: "TILL_ACK",
      duplicate: true,
    });
    expect(await requestTill(front, { ...move, amount: 51 })).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    expect((await report(shiftId)).moves).toHaveLength(1);
  });

  it("terminals are notified of each till change without amounts [TILL-5]", async () => {
    const other = await hub.terminal({ deviceId: "other" });
    const { seq, signature } = other.sync;
    const since = { hubId: other.hello.hubId, epoch: other.hello.epoch, seq, signature };
    await addTill();
    expect(await other.next("TILL_CHANGED")).toMatchObject({ till: { id: "bar", terminals: ["front"], shift: null } });
    const shiftId = await openShift(1_000);
    const { till } = await other.next("TILL_CHANGED");
    const state = { id: shiftId, state: "open", openedBy: front.hello.user.name, openedAt: expect.any(String) };
    expect(till).toEqual({ id: "bar", name: "Barra", terminals: ["front"], shift: state });
    await requestTill(front, count(shiftId, 5));
    expect((await other.next("TILL_CHANGED")).till.shift).toMatchObject({ state: "counted" });
    expect((await hub.terminal({ deviceId: "new" })).sync.tills).toMatchObject([
      { id: "bar", shift: { state: "counted" } },
    ]);
    await requestTill(front, count(shiftId, 1_000, { note: "otra vez" }));
    other.send({ type: "RESYNC", requestId: "delta", since });
    expect(await other.next("SYNC")).toMatchObject({ mode: "delta", tills: [{ id: "bar" }] });
  });
});

describe("money in shifts ", () => {
  it("money and tips belong to the shift of the terminal that took them [TILL-10]", async () => {
    await addTill();
    await addTill({ id: "door", name: "Puerta", terminals: ["back"] });
    const back = await hub.terminal({ login: "cashier", deviceId: "back" });
    const [barShift, doorShift] = [await openShift(100), await openShift(0, back, "door")];
    await pay(500, CASH, { tip: 50 });
    await pay(300, CARD, { tip: 30 }, back);
    const ref = await check(400);
    const tender = {
      type: "ORDER_TENDER",
      tenderId: crypto.randomUUID(),
      posReference: ref,
      methodId: CASH,
      amount: 150,
    };
    await front.change(tender);
    await back.change({ ...tender, tenderId: crypto.randomUUID(), amount: 100 });
    await back.change({ type: "ORDER_TENDER_VOID", tenderId: tender.tenderId, reason: "error" });
    expect((await report(barShift)).byMethod).toEqual([
      { methodId: 1, sales: 500, tips: 50, refunded: 0, expected: 650, counted: null, difference: null },
    ]);
    expect((await report(doorShift)).byMethod).toEqual([
      { methodId: 1, sales: 100, tips: 0, refunded: 0, expected: 100, counted: null, difference: null },
      { methodId: 2, sales: 300, tips: 30, refunded: 0, expected: 330, counted: null, difference: null },
    ]);
    expect((await noShift()).payments).toEqual([]);
  });

  it("money is accepted without a shift, and after its shift was counted [TILL-11]", async () => {
    const clock = manualClock();
    const slow = await startTillHub({ world: clock.world });
    await slow.pay(100);
    expect((await slow.noShift()).payments).toMatchObject([
      { kind: "payment", methodId: 1, amount: 100, terminalId: "front" },
    ]);
    await slow.addTill();
    const shiftId = await slow.openShift();
    clock.advance(1_000);
    const queuedAt = new Date(clock.world.clock.now()).toISOString();
    const late = await slow.check(70);
    clock.advance(1_000);
    await requestTill(slow.front, count(shiftId, 1_000));
    await slow.openShift();
    await slow.front.change({
      type: "ORDER_PAY",
      posReference: late,
      baseVersion: 1,
      queuedAt,
      payments: [{ methodId: CASH, amount: 70 }],
    });
    const { payments, byMethod } = await slow.noShift();
    expect(payments[0]).toMatchObject({ posReference: late, amount: 70, queuedShiftId: shiftId });
    expect(byMethod).toEqual([{ methodId: 1, sales: 170, tips: 0, refunded: 0 }]);
  });

  it("queued money goes to the shift that was open at its device when it was taken [TILL-10]", async () => {
    const clock = manualClock();
    const set = await startTillHub({ world: clock.world });
    await set.addTill();
    const [first, second] = [await set.openShift(100), crypto.randomUUID()];
    const [before, after] = [await set.check(50), await set.check(70)];
    const queued = (minutes: number) => ({
      queuedAt: new Date(clock.world.clock.now() - minutes * 60_000).toISOString(),
    });
    const payment = (posReference: string, amount: number) => {
      return { type: "ORDER_PAY", posReference, baseVersion: 1, payments: [{ methodId: CASH, amount }] };
    };
    clock.advance(30 * 60_000);
    // The terminal sends its outbox in order.
    const front = await set.hub.terminal({ login: "cashier", deviceId: "front" });
    const counted = queued(20).queuedAt;
    await front.change({ ...payment(before, 50), ...queued(25) });
    const drop = { type: "TILL_MOVE", shiftId: first, kind: "drop", amount: 30, reason: "caja fuerte" };
    await requestTill(front, { ...drop, ...queued(22) });
    await requestTill(front, { type: "TILL_DRAWER", tillId: "bar", reason: "Cambio", ...queued(21) });
    expect(await requestTill(front, { ...count(first, 120), queuedAt: counted })).toMatchObject({ type: "TILL_ACK" });
    await requestTill(front, { type: "TILL_OPEN", tillId: "bar", shiftId: second, float: 10, ...queued(19) });
    await front.change({ ...payment(after, 70), ...queued(10) });
    expect((await set.noShift()).payments).toEqual([]);
    const z = await set.report(first);
    expect(z).toMatchObject({ sales: 50, difference: 0, countedAt: counted, counts: [{ at: counted }] });
    const [at, opened] = [queued(22).queuedAt, queued(21).queuedAt];
    expect(z).toMatchObject({
      moves: [{ at }],
      openings: [
        { why: "move", at },
        { why: "drawer", at: opened },
      ],
    });
    expect(await set.report(second)).toMatchObject({ sales: 70, openedAt: queued(19).queuedAt });
  });

  it("a shift counted by a device with a slow clock does not end before it began [TILL-10]", async () => {
    const clock = manualClock();
    const set = await startTillHub({ world: clock.world });
    await set.addTill();
    const aDayAgo = { queuedAt: new Date(clock.world.clock.now() - 24 * 3_600_000).toISOString() };
    const first = await set.openShift(0);
    clock.advance(1_000);
    await set.pay(50);
    const drop = { type: "TILL_MOVE", shiftId: first, kind: "drop", amount: 20, reason: "caja fuerte" };
    await requestTill(set.front, { ...drop, ...aDayAgo });
    expect(await requestTill(set.front, { ...count(first, 30), ...aDayAgo })).toMatchObject({ type: "TILL_ACK" });
    const second = crypto.randomUUID();
    await requestTill(set.front, { type: "TILL_OPEN", tillId: "bar", shiftId: second, float: 0, ...aDayAgo });
    await set.pay(70);
    const { openedAt, countedAt, sales, moves } = await set.report(first);
    expect({ countedAt, sales, moved: moves[0].at }).toEqual({ countedAt: openedAt, sales: 50, moved: openedAt });
    expect(await set.report(second)).toMatchObject({ openedAt: countedAt, sales: 70 });
    expect((await set.noShift()).payments).toEqual([]);
  });

  it("money goes to the open shift even when the clock was put back since it was opened [TILL-240]", async () => {
    const clock = manualClock();
    const set = await startTillHub({ world: clock.world });
    const payJustNow = async (amount: number) => {
      const posReference = await set.check(amount);
      const queuedAt = new Date(clock.world.clock.now()).toISOString();
      clock.advance(100);
      const payments = [{ methodId: CASH, amount }];
      await set.front.change({ type: "ORDER_PAY", posReference, baseVersion: 1, queuedAt, payments });
    };
    await set.addTill();
    const first = await set.openShift();
    clock.jumpWall(-3 * 3_600_000);
    await payJustNow(100);
    expect(await requestTill(set.front, count(first, 1_100))).toMatchObject({ type: "TILL_ACK" });
    clock.jumpWall(-3_600_000);
    const second = await set.openShift();
    await payJustNow(70);
    expect((await set.noShift()).payments).toEqual([]);
    expect([(await set.report(first)).sales, (await set.report(second)).sales]).toEqual([100, 70]);
  });

  it("money without a shift is assigned to an open shift, or listed as late beside a closed report [TILL-12, TILL-31]", async () => {
    const [first, second] = [await pay(100), await pay(40)];
    await addTill();
    const closed = await openShift(0);
    await pay(10);
    await requestTill(front, count(closed, 10));
    const z = await report(closed);
    expect(z).toMatchObject({ state: "closed", sales: 10, late: [], difference: 0 });
    const open = await openShift(0);
    const { payments } = await noShift();
    const idOf = (ref: string) =>
      payments.find((each: { posReference: string }) => each.posReference === ref).paymentId;
    const assign = (ref: string, shiftId: string) =>
      operator("assignPayment", { params: { paymentId: idOf(ref) }, body: { shiftId } });
    expect((await assign(first, closed)).body).toMatchObject({ late: true });
    expect((await assign(first, closed)).body).toMatchObject({ late: true });
    expect(await assign(first, open)).toMatchObject({ status: 409, body: { errorCode: "CONFLICT" } });
    expect((await assign(second, open)).body).toMatchObject({ late: false });
    const { late, ...rest } = await report(closed);
    expect({ ...rest, late: [] }).toEqual(z);
    expect(late).toMatchObject([{ posReference: first, amount: 100, assignedBy: expect.any(String) }]);
    expect((await report(open)).byMethod).toMatchObject([{ sales: 40, expected: 40 }]);
    expect((await noShift()).payments).toEqual([]);
  });

  it("money without a shift is assigned by its payment or tender id [TILL-12]", async () => {
    const [paymentId, tenderId] = [crypto.randomUUID(), crypto.randomUUID()];
    const [paid, tendered] = [await check(100), await check(50)];
    const payments = [
      { methodId: CASH, amount: 60 },
      { methodId: CARD, amount: 40 },
    ];
    await front.change({ type: "ORDER_PAY", paymentId, posReference: paid, baseVersion: 1, payments });
    await front.change({ type: "ORDER_TENDER", tenderId, posReference: tendered, methodId: CASH, amount: 50 });
    await addTill();
    const shiftId = await openShift(0);
    const listed = (await noShift()).payments.map((each: { paymentId: string }) => each.paymentId);
    expect(listed.toSorted()).toEqual([paymentId, `${paymentId}#1`, tenderId].toSorted());
    for (const id of listed) {
      const assign = () => operator("assignPayment", { params: { paymentId: id }, body: { shiftId } });
      expect((await assign()).body).toMatchObject({ payment: { paymentId: id }, late: false });
      expect((await assign()).body).toMatchObject({ payment: { paymentId: id }, late: false });
    }
    expect((await report(shiftId)).sales).toBe(150);
    const unknown = { params: { paymentId: crypto.randomUUID() }, body: { shiftId } };
    expect(await operator("assignPayment", unknown)).toMatchObject({ status: 404 });
  });

  it("an unapplied payment counts in its drawer until it is given back [TILL-13]", async () => {
    await addTill();
    const shiftId = await openShift(0);
    const ref = await pay(200);
    // A second payment for a paid check.
    const again = { type: "ORDER_PAY", posReference: ref, baseVersion: 1, payments: [{ methodId: CASH, amount: 200 }] };
    await expect(front.change(again)).rejects.toThrow("ORDER_LOCKED");
    expect((await report(shiftId)).byMethod).toMatchObject([{ sales: 400, expected: 400 }]);
    const [unapplied] = (await operator("payments")).body.payments;
    await operator("settlePayment", { params: { paymentId: unapplied.paymentId }, body: { note: "devuelto" } });
    expect((await report(shiftId)).byMethod).toMatchObject([{ sales: 200, expected: 200 }]);
  });

  it("a payment applied by a manager stays in the shift that took it [TILL-13]", async () => {
    await addTill();
    const shiftId = await openShift(0);
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const ref = await check(90);
    const lease = await waiter.request({ type: "LEASE_ACQUIRE", posReference: ref });
    const { leaseId } = lease as HubMessageOf<"LEASE_GRANTED">;
    const payment = {
      type: "ORDER_PAY",
      posReference: ref,
      baseVersion: 1,
      payments: [{ methodId: CASH, amount: 90 }],
    };
    await expect(front.change(payment)).rejects.toThrow("LEASE_HELD");
    await waiter.request({ type: "LEASE_RELEASE", posReference: ref, leaseId });
    const [unapplied] = (await operator("payments")).body.payments;
    expect(await operator("applyPayment", { params: { paymentId: unapplied.paymentId }, body: {} })).toMatchObject({
      status: 200,
    });
    expect(await report(shiftId)).toMatchObject({
      byMethod: [{ sales: 90, expected: 90 }],
      checks: { from: ref, count: 1 },
    });
    expect((await noShift()).payments).toEqual([]);
  });

  it("the change for foreign cash follows the rate of the last attempt [TILL-13]", async () => {
    await addTill();
    const shiftId = await openShift(1_000);
    const tender = {
      type: "ORDER_TENDER",
      tenderId: crypto.randomUUID(),
      posReference: await check(850),
      methodId: CASH,
    };
    const paidWith = (rate: number) => ({ ...tender, amount: 850, foreign: { currency: "USD", amount: 20, rate } });
    await expect(front.change(paidWith(59))).rejects.toThrow("RATE_CHANGED");
    expect(await front.change(paidWith(60))).toMatchObject({ status: "paid" });
    expect((await report(shiftId)).byMethod).toMatchObject([
      { sales: 850, expected: 650 },
      { currency: "USD", expected: 20 },
    ]);
  });

  it("a repeated payment counts in the currency and method of its last attempt [TILL-13]", async () => {
    await addTill();
    const shiftId = await openShift(1_000);
    const dollars = { foreign: { currency: "USD", amount: 20, rate: 59 } };
    const inPesos = await check(850);
    const payment = { type: "ORDER_PAY", paymentId: crypto.randomUUID(), posReference: inPesos, baseVersion: 1 };
    const inDollars = { ...payment, payments: [{ methodId: CASH, amount: 850, ...dollars }] };
    await expect(front.change(inDollars)).rejects.toThrow("RATE_CHANGED");
    await front.change({ ...payment, payments: [{ methodId: CASH, amount: 850, tip: 50 }] });
    const byCard = { type: "ORDER_TENDER", tenderId: crypto.randomUUID(), posReference: await check(100), amount: 100 };
    await expect(
      front.change({ ...byCard, methodId: CASH, foreign: { ...dollars.foreign, amount: 2 } }),
    ).rejects.toThrow("RATE_CHANGED");
    await front.change({ ...byCard, methodId: CARD });
    const methods = [
      { methodId: 1, sales: 850, tips: 50, expected: 1_900 },
      { methodId: 1, currency: "USD", sales: 0, expected: 0 },
      { methodId: 2, sales: 100, expected: 100 },
    ];
    expect((await report(shiftId)).byMethod).toMatchObject(methods);
    expect((await noShift()).payments).toEqual([]);
  });

  it("a method that the last attempt of a payment no longer names counts nothing [TILL-13]", async () => {
    await addTill();
    const shiftId = await openShift(0);
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const posReference = await check(100);
    const lease = await waiter.request({ type: "LEASE_ACQUIRE", posReference });
    const { leaseId } = lease as HubMessageOf<"LEASE_GRANTED">;
    const payment = { type: "ORDER_PAY", paymentId: crypto.randomUUID(), posReference, baseVersion: 1 };
    const both = [
      { methodId: CASH, amount: 60 },
      { methodId: CARD, amount: 40 },
    ];
    await expect(front.change({ ...payment, payments: both })).rejects.toThrow("LEASE_HELD");
    await waiter.request({ type: "LEASE_RELEASE", posReference, leaseId });
    await front.change({ ...payment, payments: [{ methodId: CARD, amount: 100 }] });
    expect((await report(shiftId)).byMethod).toMatchObject([
      { methodId: 1, sales: 0, expected: 0 },
      { methodId: 2, sales: 100, expected: 100 },
    ]);
    expect((await noShift()).payments).toEqual([]);
  });

  it("a repeated payment counts the tip of its last attempt [TILL-13]", async () => {
    await addTill();
    const shiftId = await openShift(0);
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const posReference = await check(90);
    const lease = await waiter.request({ type: "LEASE_ACQUIRE", posReference });
    const { leaseId } = lease as HubMessageOf<"LEASE_GRANTED">;
    const payment = { type: "ORDER_PAY", paymentId: crypto.randomUUID(), posReference, baseVersion: 1 };
    const paidWith = (tip: number) => ({ ...payment, payments: [{ methodId: CASH, amount: 90, tip }] });
    await expect(front.change(paidWith(5))).rejects.toThrow("LEASE_HELD");
    await waiter.request({ type: "LEASE_RELEASE", posReference, leaseId });
    await front.change(paidWith(8));
    expect(await report(shiftId)).toMatchObject({
      byMethod: [{ sales: 90, tips: 8, expected: 98 }],
      tips: [{ amount: 8 }],
    });
    expect((await noShift()).payments).toEqual([]);
  });
});

describe("counts of a drawer ", () => {
  it("a count within the tolerance closes the shift, and one beyond it does not reveal the difference [TILL-20]", async () => {
    await addTill();
    const near = await openShift(1_000);
    expect(await requestTill(front, count(near, 900))).toMatchObject({ type: "TILL_ACK", shiftId: near });
    expect(await report(near)).toMatchObject({ state: "closed", difference: -100 });
    const far = await openShift(1_000);
    const refused = await requestTill(front, count(far, 899.99));
    expect(refused).toMatchObject({ type: "TILL_REJECTED", errorCode: "APPROVAL_NEEDED", retryable: false });
    // `mutationId` is random, so its digits may match by chance.
    const { mutationId: _mutationId, ...details } = refused as HubMessageOf<"TILL_REJECTED">;
    expect(JSON.stringify(details)).not.toMatch(/1[,.]?000|899|100/);
    expect(await report(far)).toMatchObject({ state: "counted", counts: [{ counted: [{ amount: 899.99 }] }] });
  });

  it("a shift whose first count was too far off closes only with a manager's approval [TILL-21]", async () => {
    await addTill();
    const shiftId = await openShift(1_000);
    const first = { ...count(shiftId, 10), mutationId: crypto.randomUUID() };
    await requestTill(front, first);
    for (const cash of [1_000, 950]) {
      expect(await requestTill(front, count(shiftId, cash))).toMatchObject({ errorCode: "APPROVAL_NEEDED" });
    }
    const manager = await hub.terminal({ login: "manager", deviceId: "office" });
    const approval = manager.hello.actorToken;
    // A token is only valid on the device that it was issued to.
    expect(await requestTill(front, { ...first, approval })).toMatchObject({ errorCode: "ACTOR_REFUSED" });
    expect(await requestTill(manager, count(shiftId, 10))).toMatchObject({ type: "TILL_ACK" });
    const closed = await report(shiftId);
    expect(closed).toMatchObject({ state: "closed", difference: -990 });
    expect(closed.counts.map(({ counted }: { counted: { amount: number }[] }) => counted[0]?.amount)).toEqual([
      10, 1_000, 950, 10,
    ]);
    const { entries } = (await operator("audit")).body;
    expect(entries.filter(({ action }: { action: string }) => action === "shift.count")).toHaveLength(4);
  });

  it("audit entries of a shift name the till, amounts and methods in words [OP-576]", async () => {
    await addTill();
    const unassigned = await pay(250);
    const shiftId = await openShift(1_000);
    await requestTill(front, { type: "TILL_MOVE", shiftId, kind: "drop", amount: 300, reason: "Caja fuerte" });
    const tips = { kind: "out", amount: 50, reason: "Propinas", cause: "tips", userName: "Ana" };
    await requestTill(front, { type: "TILL_MOVE", shiftId, ...tips });
    await requestTill(front, { type: "TILL_DRAWER", tillId: "bar", reason: "Cambio" });
    await requestTill(front, count(shiftId, 10));
    const manager = await hub.terminal({ login: "manager", deviceId: "office" });
    const counted = [CASH, CARD].map((methodId) => ({ methodId, amount: 0.5 }));
    await requestTill(manager, { ...count(shiftId, 0), counted });
    const [{ paymentId }] = (await noShift()).payments;
    await operator("assignPayment", { params: { paymentId }, body: { shiftId } });
    const { entries } = (await operator("audit")).body as {
      entries: { action: string; target: string; note: Sentence | null }[];
    };
    const atTill = entries.filter(({ action }) => /^(shift|till)\./.test(action)).toReversed();
    expect(atTill.map(({ action, target, note }) => [action, target, note && sentenceInEnglish(note)])).toEqual([
      ["till.create", "Barra", null],
      ["shift.open", "Barra", "with a float of 1000"],
      ["till.move", "Barra", "300 to the safe: Caja fuerte"],
      ["till.move", "Barra", "50 taken out: Propinas · Ana"],
      ["till.drawer", "Barra", "Cambio"],
      ["shift.count", "Barra", "Efectivo RD$10.00"],
      ["shift.count", "Barra", "Efectivo RD$0.50, Tarjeta RD$0.50"],
      ["shift.close", "Barra", null],
      ["shift.assign", "Barra", `${unassigned}: 250`],
    ]);
  });

  it("a shift report names who approved the closing count, not an earlier one [TILL-154]", async () => {
    await addTill();
    const shiftId = await openShift(1_000);
    const waiter = await hub.terminal({ login: "waiter", deviceId: "office" });
    const { deviceKey, actorToken: approval } = waiter.hello;
    const at = { deviceId: "office", ...(deviceKey !== undefined && { deviceKey }) };
    const cashier = await hub.terminal({ login: "cashier", ...at });
    expect(await requestTill(cashier, { ...count(shiftId, 10), approval })).toMatchObject({
      errorCode: "APPROVAL_NEEDED",
    });
    const attempted = await report(shiftId);
    expect(attempted).toMatchObject({
      state: "counted",
      approvedBy: null,
      counts: [{ approvedBy: waiter.hello.user.name }],
    });
    const manager = await hub.terminal({ login: "manager", ...at });
    expect(await requestTill(manager, count(shiftId, 10))).toMatchObject({ type: "TILL_ACK" });
    expect(await report(shiftId)).toMatchObject({ closedBy: manager.hello.user.name, approvedBy: null });
  });

  it("an approval is named with what it approved, and is used up even by a count that did not close [TILL-4, PEOPLE-40, PEOPLE-73]", async () => {
    const { hub: own, terminal, actor } = await startWithPins({ cashier: "4711" });
    const operatorOfOwn = operatorOf(own);
    await operatorOfOwn("createTill", { body: { id: "bar", name: "Barra", terminals: ["tablet"] } });
    const shiftId = crypto.randomUUID();
    const approval = await actor("cashier");
    await requestTill(terminal, { type: "TILL_OPEN", tillId: "bar", shiftId, float: 1_000, approval });
    const drawer = { type: "TILL_DRAWER", tillId: "bar", reason: "Cambio" };
    await requestTill(terminal, { ...drawer, approval: await actor("cashier") });
    const forCount = await actor("cashier");
    expect(await requestTill(terminal, count(shiftId, 10, { approval: forCount }))).toMatchObject({
      errorCode: "APPROVAL_NEEDED",
    });
    expect(await requestTill(terminal, { ...drawer, approval: forCount })).toMatchObject({
      errorCode: "ACTOR_REFUSED",
    });

    const approvedBy = "Carlos Jiménez";
    const { openings, counts } = (await operatorOfOwn("shift", { params: { shiftId } })).body;
    expect([openings, counts]).toMatchObject([[{ why: "drawer", approvedBy }], [{ approvedBy }]]);
    const { entries } = (await operatorOfOwn("audit")).body as { entries: { action: string; note: Sentence | null }[] };
    const atTill = entries.filter(({ action }) => /^(shift|till)\.(open|drawer)$/.test(action)).toReversed();
    expect(atTill.map(({ note }) => note && sentenceInEnglish(note))).toEqual([
      `approved by ${approvedBy}: RD$1,000.00`,
      `approved by ${approvedBy}: Cambio`,
    ]);
  });

  it("a count that did not close is stored once per id, and its id takes no other count [TILL-4, TILL-21]", async () => {
    await addTill();
    const shiftId = await openShift(1_000);
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    const [first, second] = ids.map((mutationId, index) => ({ ...count(shiftId, 10 + index), mutationId }));
    for (const attempt of [first, second, first, second]) {
      expect(await requestTill(front, { ...attempt })).toMatchObject({ errorCode: "APPROVAL_NEEDED" });
    }
    for (const other of [count(shiftId, 950), { ...count(shiftId, 10), note: "un billete falso" }]) {
      expect(await requestTill(front, { ...other, mutationId: ids[0] })).toMatchObject({
        errorCode: "VALIDATION_ERROR",
      });
    }
    const { counts } = await report(shiftId);
    expect(counts.map(({ counted }: { counted: { amount: number }[] }) => counted[0]?.amount)).toEqual([10, 11]);
  });

  it("a manager may close a shift whose count attempts are used up [TILL-21]", async () => {
    await addTill();
    const shiftId = await openShift(1_000);
    for (let attempt = 0; attempt < 50; attempt += 1) {
      expect(await requestTill(front, count(shiftId, attempt))).toMatchObject({ errorCode: "APPROVAL_NEEDED" });
    }
    expect(await requestTill(front, count(shiftId, 1_000))).toMatchObject({ errorCode: "LIMIT_REACHED" });
    const manager = await hub.terminal({ login: "manager", deviceId: "office" });
    expect(await requestTill(manager, count(shiftId, 1_000))).toMatchObject({ type: "TILL_ACK" });
    expect(await report(shiftId)).toMatchObject({ state: "closed", difference: 0 });
  });

  it("a count must have cash, each method once, and pieces that add up [TILL-22]", async () => {
    await addTill();
    const shiftId = await openShift(0);
    const invalid = [
      [],
      [{ methodId: CARD, amount: 0 }],
      [
        { methodId: CASH, amount: 0 },
        { methodId: 1, amount: 0 },
      ],
      [{ methodId: CASH, amount: 100, pieces: [{ value: 50, count: 1 }] }],
      [
        { methodId: CASH, amount: 0 },
        { methodId: CASH, currency: "GBP", amount: 5 },
      ],
    ];
    for (const counted of invalid) {
      expect(await requestTill(front, { type: "TILL_COUNT", shiftId, counted })).toMatchObject({
        errorCode: "VALIDATION_ERROR",
      });
    }
    expect((await report(shiftId)).counts).toEqual([]);
    const pieces = [
      { value: 25, count: 3 },
      { value: 5, count: 1 },
    ];
    const counted = [
      { methodId: CASH, amount: 80, pieces },
      { methodId: CASH, currency: "USD", amount: 0 },
      // A terminal that does not yet know that pounds are no longer accepted counts zero of them.
      { methodId: CASH, currency: "GBP", amount: 0 },
    ];
    expect(await requestTill(front, { type: "TILL_COUNT", shiftId, counted })).toMatchObject({ type: "TILL_ACK" });
  });

  it("a count must include a float's currency that the restaurant no longer accepts [TILL-22]", async () => {
    const own = await startTillHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    const api = terminalApiOf(own.hub);
    await own.addTill();
    const shiftId = crypto.randomUUID();
    const open = { type: "TILL_OPEN", tillId: "bar", shiftId, float: 0, floats: [{ currency: "USD", amount: 20 }] };
    expect(await requestTill(own.front, open)).toMatchObject({ type: "TILL_ACK" });
    expect((await api("menu")).body.currencies).toBeDefined();
    await own.hub.backOffice.control("POST", "/quirks", { lacks: ["currencies"] });
    await until("the hub knows", async () => (await api("menu")).body.currencies === undefined);
    const pesos = { methodId: CASH, amount: 0 };
    // No menu lists this currency any more, so the refusal names what must be counted.
    expect(await requestTill(own.front, { type: "TILL_COUNT", shiftId, counted: [pesos] })).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      uncounted: [{ currency: "USD" }],
    });
    const counted = [pesos, { methodId: CASH, currency: "USD", amount: 20 }];
    expect(await requestTill(own.front, { type: "TILL_COUNT", shiftId, counted })).toMatchObject({ type: "TILL_ACK" });
  });

  it("cash of a replaced cash method is compared together with the shift's cash [TILL-175]", async () => {
    const own = await startTillHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    await own.addTill({ printer: await own.addPrinter() });
    const [shiftId, other] = [await own.openShift(1_000), crypto.randomUUID()];
    await own.operator("createTill", { body: { id: "patio", name: "Patio", terminals: ["back"] } });
    const back = await own.hub.terminal({ login: "cashier", deviceId: "back" });
    const opened = { type: "TILL_OPEN", tillId: "patio", shiftId: other, float: 1_000 };
    expect(await requestTill(back, opened)).toMatchObject({ type: "TILL_ACK" });
    await own.pay(500);
    const newCash = 9;
    await renameCash(own, newCash);
    const dollars = { currency: "USD", amount: 10, rate: 60 };
    await own.pay(300, newCash, { tip: 50 });
    await own.pay(600, newCash, { foreign: dollars });
    await own.pay(300, newCash, {}, back);

    const counted = [
      { methodId: newCash, amount: 1_850 },
      { methodId: newCash, currency: "USD", amount: 10 },
    ];
    expect(await requestTill(own.front, { type: "TILL_COUNT", shiftId, counted })).toMatchObject({ type: "TILL_ACK" });
    expect(await own.report(shiftId)).toMatchObject({
      state: "closed",
      difference: 0,
      byMethod: [
        { methodId: "1", sales: 500, expected: 1_850, counted: 1_850, difference: 0 },
        { methodId: newCash, sales: 900, tips: 50, expected: 0, counted: null, difference: null, withCash: true },
        { methodId: newCash, currency: "USD", sales: 10, expected: 0, counted: null, difference: null, withCash: true },
        { methodId: "1", currency: "USD", sales: 0, expected: 10, counted: 10, difference: 0 },
      ],
    });
    const paper = readJobs(own.hub.dbPath).at(-1)?.blocks;
    expect(paper?.match(/Se cuenta con el resto del efectivo/g)).toHaveLength(2);

    // Both cash methods share one heap; counts of each are added up to one difference.
    const apart = (cash: number) => [
      { methodId: CASH, amount: cash },
      { methodId: newCash, amount: 200 },
    ];
    expect(await requestTill(back, { type: "TILL_COUNT", shiftId: other, counted: apart(999.99) })).toMatchObject({
      errorCode: "APPROVAL_NEEDED",
    });
    expect((await own.report(other)).byMethod).toMatchObject([
      { methodId: "1", expected: 1_300, counted: 1_199.99, difference: -100.01 },
      { methodId: newCash, counted: null, difference: null },
    ]);
  });

  it("foreign cash kept under a method other than cash is compared together with the shift's cash [TILL-175]", async () => {
    const own = await startTillHub();
    await own.addTill();
    const shiftId = await own.openShift(1_000);
    await own.pay(600, CASH, { foreign: { currency: "USD", amount: 10, rate: 60 } });
    const foreign = { currency: "USD", amount: 5, rate: 60 };
    await expect(own.pay(300, CARD, { foreign })).rejects.toMatchObject({ kept: true });

    const counted = [
      { methodId: CASH, amount: 1_000 },
      { methodId: CASH, currency: "USD", amount: 15 },
    ];
    expect(await requestTill(own.front, { type: "TILL_COUNT", shiftId, counted })).toMatchObject({ type: "TILL_ACK" });
    expect((await own.report(shiftId)).byMethod).toMatchObject([
      { methodId: CASH, sales: 600, expected: 1_000, difference: 0 },
      { methodId: CASH, currency: "USD", sales: 10, expected: 15, counted: 15, difference: 0 },
      { methodId: CARD, sales: 300, foreign: 300, expected: 0 },
      { methodId: CARD, currency: "USD", sales: 5, expected: 0, withCash: true },
    ]);
  });

  it("cash methods replaced twice during a shift are compared together [TILL-178]", async () => {
    const own = await startTillHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    await own.addTill();
    const shiftId = await own.openShift(1_000);
    await own.pay(500);
    await renameCash(own, 9);
    await own.pay(300, 9);
    await renameCash(own, 10);
    await own.pay(200, 10);
    const counted = [{ methodId: 10, amount: 2_000 }];
    expect(await requestTill(own.front, { type: "TILL_COUNT", shiftId, counted })).toMatchObject({ type: "TILL_ACK" });
    expect((await own.report(shiftId)).byMethod).toMatchObject([
      { methodId: "1", sales: 500, expected: 2_000, counted: 2_000, difference: 0 },
      { sales: 300, expected: 0, withCash: true },
      { sales: 200, expected: 0, withCash: true },
    ]);
  });
});

/** Replaces the cash method in the back-office and waits until the hub has read it. */
async function renameCash({ hub: { backOffice, signIn }, hub: own }: TillHub, id: number): Promise<void> {
  const headers = { Cookie: `session_id=${await signIn("manager")}` };
  const { body } = await send(backOffice.url, "POST", "/pos-api/v1/bootstrap", { headers, body: {} });
  const methods = body.config.paymentMethods.filter(({ type }: { type: string }) => type !== "cash");
  const paymentMethods = [{ id, name: "Efectivo RD$", type: "cash" }, ...methods];
  const answer = { ...body, config: { ...body.config, paymentMethods } };
  const fault = { path: "/pos-api/v1/bootstrap", action: "status", status: 200, body: answer };
  await backOffice.control("POST", "/faults", { faults: [fault] });
  const api = terminalApiOf(own);
  await until("the hub knows", async () => (await api("menu")).body.paymentMethods[0].id === id);
}
