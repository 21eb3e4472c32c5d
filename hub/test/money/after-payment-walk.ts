import { HOUR_MS, type Refund, type ShiftReport } from "@comanda/protocol";
import { planRefund, subtract } from "@comanda/rules";
import { expect } from "vitest";
import { until } from "../support/until.ts";
import { type Message, startCrashingHub, timeZone, wait } from "./crashing-hub.ts";
import { CASH, createAccount } from "./days-account.ts";
import { randomFrom } from "./days-service.ts";
import { CARD, cents, choicesOf, createPaying, CREDIT, RNC, tillOf } from "./paying-walk.ts";

/** The calls after a payment. Sign-in is not faulted, since a test's own people use it. */
const paths = ["reserve-ncf", "release-ncf", "credit-note", "batch-sync", "finalize", "lookup", "credit-check", "*"];
const refused = { action: "status", status: 400, body: { error: "no", errorCode: "VALIDATION_ERROR" } };
const actions = [
  { action: "drop-before" },
  { action: "drop-after" },
  { action: "drop-after" },
  { action: "hang-after" },
  { action: "status", status: 500, body: { error: "oops", errorCode: "INTERNAL_ERROR" } },
  refused,
];

/** The back-office's time would contradict the test's clock. It books no order whose lines do not add up to its total. */
const habits = { date: "none", verifyTotals: true };

interface Pending {
  posReference: string;
  refundId: string;
  body: Message;
  legalTip: number;
  device: "front" | "back" | null;
}

export type AfterPayment = Awaited<ReturnType<typeof startAfterPayment>>;

/** A restaurant whose back-office fails, and whose hub is killed, around everything that follows a payment. */
export async function startAfterPayment(seed: number) {
  const restaurant = await startCrashingHub();
  const { hub, clock, crash, answered, control, signIn, operator, api, terminalAt, deviceKey } = restaurant;
  const { request, orderOf } = restaurant;
  const random = randomFrom(seed);
  const account = createAccount(timeZone, tillOf);
  const now = clock.world.clock.now;
  const closed = new Map<string, ShiftReport>();
  const actionCounts = new Map<string, number>();
  const countAction = (action: string): void => void actionCounts.set(action, (actionCounts.get(action) ?? 0) + 1);
  const { below, pick } = choicesOf(random);
  const { pay, payTwice, assign } = createPaying({ seed, restaurant, account, random, countAction });
  const pending: Pending[] = [];
  const bookRefund = ({ posReference, legalTip, device }: Pending, refund: Refund): void => {
    const { refundId, amount, refund: back, madeAt = "" } = refund;
    const payments = back.map(({ methodId, amount: part }) => ({ methodId: Number(methodId), amount: part }));
    const shift = device === null ? undefined : account.openAt(tillOf[device]);
    const entry = { refundId, at: Date.parse(madeAt), posReference, amount, legalTip, payments };
    account.refund(entry, null, shift?.id ?? null);
  };

  /** Requests a refund and books what came of it. Returns false if it is refused. */
  async function give(each: Pending): Promise<boolean> {
    const body = { posReference: each.posReference, refundId: each.refundId, ...each.body };
    const ask = async () => {
      if (each.device !== null) await terminalAt(each.device);
      const key = each.device === null ? {} : { deviceKey: deviceKey(each.device) };
      return api("refund", { token: await signIn("manager"), body: { ...body, ...key } });
    };
    const answer = await answered(ask);
    if (answer.status === 200 && answer.body.refund.state === "made") bookRefund(each, answer.body.refund);
    else if (answer.status === 200) pending.push(each);
    countAction(`refund ${answer.body.errorCode ?? answer.body.refund.state}`);
    if (answer.status === 200) return true;
    // The first request may have made the note before the hub was killed.
    const { refunds = [] } = (await orderOf(each.posReference)).snapshot;
    const isOpen = refunds.some(({ refundId, state }) => refundId === each.refundId && state === "pending");
    if (isOpen) pending.push(each);
    return isOpen;
  }

  async function refund(): Promise<void> {
    const sold = pick(account.sold);
    if (sold === undefined || pending.some(({ posReference }) => posReference === sold.posReference)) return;
    const { posReference } = sold;
    const before = await orderOf(posReference);
    const methods = [CASH, CARD, CREDIT].map((id, index) => ({
      id,
      type: (["cash", "bank", "pay_later"] as const)[index] ?? "bank",
      name: "",
    }));
    const chosen = new Map(before.snapshot.lines.map(({ id, quantity }) => [id, below(quantity + 2)]));
    const { lines, isAll, options } = planRefund(before.snapshot, random() < 0.5 ? new Map() : chosen, methods);
    const way = pick(options);
    if (way === undefined) return;
    const body = { reason: "frío", refund: way, ...((!isAll || random() < 0.5) && { lines }) };
    const legalTip = 22.5 * (lines.find(({ lineId }) => lineId === "a")?.quantity ?? 0);
    const device = pick([null, "front", "back"] as const) ?? null;
    const asked = { posReference, body, legalTip, device };
    const requests = Array.from({ length: random() < 0.15 ? 2 : 1 }, () => ({
      ...asked,
      refundId: crypto.randomUUID(),
    }));
    const given = await Promise.all(requests.map(give));
    if (given.includes(true)) return;
    const { snapshot } = await orderOf(posReference);
    expect(snapshot.refunds, "a refused refund leaves nothing").toEqual(before.snapshot.refunds);
  }

  async function repeatRefund(): Promise<void> {
    const each = pending.shift();
    if (each !== undefined) await give(each);
  }

  /** Decides about a number or a receipt at random. */
  async function decide(): Promise<void> {
    const { failed, receipts } = (await operator("fiscal")).body;
    const waiting = account.sold.slice(-3).map(({ posReference }) => ({ posReference }));
    const { posReference, state } = pick([...failed, ...failed, ...receipts, ...waiting]) ?? {};
    if (posReference === undefined) return;
    const actionsOf = state === undefined ? ["retry", "replace", "skip"] : ["retry", "dismiss"];
    const more = pick([{}, { type: "E32" }, { type: "B02" }, { type: "E31", rnc: RNC }, { type: "B14" }]);
    const body = { action: pick(actionsOf), ...(state === undefined && more) };
    const answer = await operator("decideNumber", { params: { posReference }, body });
    countAction(`${body.action} ${answer.body.errorCode ?? "done"}`);
  }

  async function openShift(): Promise<void> {
    const device = pick(["front", "back"] as const) ?? "front";
    if (account.openAt(tillOf[device]) !== undefined) return;
    const [id, float] = [crypto.randomUUID(), below(1_000)];
    const answer = await request(device, { type: "TILL_OPEN", tillId: tillOf[device], shiftId: id, float });
    expect(answer).toMatchObject({ type: "TILL_ACK" });
    const { openedAt } = (await operator("shift", { params: { shiftId: id } })).body;
    account.open({ id, till: tillOf[device], openedAt: 0, float });
    // Before the last count, if the clock was put back since.
    Object.assign(account.openAt(tillOf[device]) ?? {}, { openedAt: Date.parse(openedAt) });
  }

  async function countShift(): Promise<void> {
    const device = pick(["front", "back"] as const) ?? "front";
    const shift = account.openAt(tillOf[device]);
    if (shift === undefined) return;
    const cash = cents(Math.max(0, account.expectedCash(shift)) + (pick([0, 99.99, 100.01]) ?? 0));
    const isWithin = Math.abs(subtract(cash, account.expectedCash(shift))) <= 100;
    const count = { type: "TILL_COUNT", shiftId: shift.id, counted: [{ methodId: CASH, amount: cash }] };
    const answer = await request(device, count);
    expect(answer).toMatchObject(isWithin ? { type: "TILL_ACK" } : { errorCode: "APPROVAL_NEEDED" });
    if (!isWithin) expect(await request("office", count, "manager")).toMatchObject({ type: "TILL_ACK" });
    const report: ShiftReport = (await operator("shift", { params: { shiftId: shift.id } })).body;
    account.count(shift.id, cash, Date.parse(report.countedAt ?? ""));
    closed.set(shift.id, report);
    countAction("counted");
  }

  async function disturb(): Promise<void> {
    const faults = Array.from({ length: 1 + below(3) }, () => {
      const each = pick(actions) ?? refused;
      // A back-office that has made a note does not refuse its repeat.
      const path = pick(each === refused ? paths.filter((one) => one !== "credit-note" && one !== "*") : paths) ?? "*";
      return { ...each, path: `/pos-api/v1/*${path}`, times: 1 + below(each === refused ? 12 : 3) };
    });
    await control("POST", "/faults", { faults });
  }

  const steps: readonly (readonly [number, () => Promise<unknown>])[] = [
    [20, pay],
    [12, refund],
    [4, repeatRefund],
    [8, decide],
    [4, openShift],
    [2, countShift],
    [8, disturb],
    [2, payTwice],
    [2, assign],
    [1, async () => clock.jumpWall(-below(3) * HOUR_MS)],
    [1, switchContingency],
    [3, () => control("DELETE", "/faults")],
    [
      3,
      () =>
        control("POST", "/ncf", {
          type: pick(["B01", "B02", "B04", "E31", "E32", "E34"]),
          remaining: pick([0, 1, 500]),
        }),
    ],
    [
      1,
      () =>
        control("POST", "/ncf-expiry", {
          type: pick(["B02", "E32", "E34"]),
          expiresOn: pick(["2020-01-01", "2029-12-31"]),
        }),
    ],
    [3, changeHabits],
    [1, endSessions],
    [1, async () => clock.stall(below(20) * HOUR_MS)],
    [3, () => wait(below(60))],
  ];

  /** The back-office signs otherwise, speaks JSON-RPC, renews sessions at each call or has no lookup. */
  async function changeHabits(): Promise<void> {
    await control("POST", "/quirks", {
      ...habits,
      fiscal: pick(["signed", "later", "never", "rejected", "none", "rejected-later"]),
      envelope: random() < 0.3,
      rotateSession: pick(["off", "off", "soft", "hard"]),
      lacks: pick([[], [], ["hub/lookup"]]),
    });
  }

  function kill(): Promise<void> {
    countAction("killed");
    return crash();
  }

  async function endSessions(): Promise<void> {
    await control("DELETE", "/user-sessions");
    restaurant.forgetSessions();
  }

  async function switchContingency(): Promise<void> {
    const value = pick(["true", "false"]);
    await operator("changeSettings", { body: { values: { HUB_FISCAL_CONTINGENCY: value } } });
  }

  async function calm(): Promise<void> {
    await control("DELETE", "/faults");
    await control("POST", "/quirks", habits);
    for (const type of ["B01", "B02", "B04", "E31", "E32", "E34"]) {
      await control("POST", "/ncf", { type, remaining: 500 });
      await control("POST", "/ncf-expiry", { type, expiresOn: "2029-12-31" });
    }
  }

  await control("POST", "/quirks", habits);
  await until("the menu is read", async () => (await api("menu", { token: await signIn("manager") })).body.creditNotes);
  for (const [device, id] of Object.entries(tillOf))
    await operator("createTill", { body: { id, name: id, terminals: [device] } });

  return {
    hub,
    operator,
    account,
    closed: closed as ReadonlyMap<string, ShiftReport>,
    actionCounts: actionCounts as ReadonlyMap<string, number>,
    orderOf,
    now,
    /** Does one step, during which the hub may be killed. Returns the step's name. */
    async step(): Promise<string> {
      let at = random() * steps.reduce((all, [weight]) => all + weight, 0);
      const work = steps.find(([weight]) => (at -= weight) < 0)?.[1] ?? pay;
      const killedAfter = random() < 0.12 ? below(60) : null;
      const killed = killedAfter === null ? null : wait(killedAfter).then(kill);
      await Promise.all([work(), killed]);
      return work.name;
    },

    /** Heals the back-office, and lets a manager decide until nothing waits. */
    async finish(): Promise<void> {
      await calm();
      // After all that was done before the clock was put back.
      clock.stall(12 * HOUR_MS);
      await until(
        "nothing waits",
        async () => {
          const { failed, receipts, pending: waiting } = (await operator("fiscal")).body;
          for (const { posReference } of failed) {
            const answer = await operator("decideNumber", {
              params: { posReference },
              body: { action: pick(["retry", "replace", "skip"]), type: pick(["E32", "B02"]) },
            });
            countAction(`final ${answer.status}`);
          }
          for (const { posReference, state } of receipts) {
            await operator("decideNumber", {
              params: { posReference },
              body: { action: state === "unsigned" ? "retry" : "dismiss" },
            });
          }
          const { events } = (await operator("forwardEvents", { query: { state: "attention" } })).body;
          for (const { eventId } of events) await operator("retryForward", { params: { eventId } });
          while (pending.length > 0) await repeatRefund();
          const { notInAccounting } = (await operator("closing")).body;
          return failed.length + receipts.length + waiting + notInAccounting.length === 0;
        },
        60_000,
      );
    },
    stop: restaurant.stop,
  };
}
