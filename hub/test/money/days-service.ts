import { HOUR_MS, MINUTE_MS, type ShiftReport, type StoredOrder } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { expect } from "vitest";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";
import { CASH, createAccount } from "./days-account.ts";
import { tostones } from "./tostones.ts";

const CARD = 2;
const staff = ["Ana", "Luis", "Rosa"];
const tillOf = { front: "bar", side: "bar", back: "door" } as const;
/** The device `alone` belongs to no till. */
const devices = ["front", "side", "back", "alone"] as const;
type Device = (typeof devices)[number];

const extra = (id: string, price: number) => ({ id, productId: 102, quantity: 1, unitPrice: price, total: price });

interface Check {
  ref: string;
  tableId: number;
  guests: number;
  party: string;
  /** Part of a split check; other parties must not be merged into it. */
  isApart: boolean;
  lines: (ReturnType<typeof tostones> | ReturnType<typeof extra>)[];
  /** An offline device has already taken the amount due. Online devices may take it again. */
  isPaidOffline: boolean;
  due: number;
  tenders: TakenPayment[];
}

interface TakenPayment {
  identity: string;
  device: Device;
  methodId: number;
  amount: number;
  tip: number;
}

type Message = Record<string, unknown>;
interface Queued {
  queuedAt: number;
  message: Message;
  /** Called with the hub's answer. */
  onAnswer(answer: "taken" | "refused"): Promise<void> | void;
}

const cents = (value: number): number => Math.round(value * 100) / 100;
const totalOf = ({ lines }: Pick<Check, "lines">): number => cents(sum(lines.map(({ total }) => total)));
const legalTipOf = ({ lines }: Pick<Check, "lines">): number =>
  22.5 * sum(lines.map((line) => ("taxIds" in line ? line.quantity : 0)));

/** Returns a generator of numbers from 0 to 1 that repeats for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed * 7_919 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Simulates a restaurant over three days, and books every action in an independent account. */
export async function startService({ seed, timeZone, from }: { seed: number; timeZone: string; from: string }) {
  const clock = manualClock(Date.parse(from));
  const env = { HUB_TIME_ZONE: timeZone, HUB_HEARTBEAT_MS: String(24 * HOUR_MS) };
  const hub = await startTestHub({ ownBackOffice: true, env, world: clock.world });
  await hub.backOffice.control("POST", "/ncf", { type: "E32", remaining: 10_000 });
  const [operator, api] = [operatorOf(hub), terminalApiOf(hub)];
  const now = clock.world.clock.now;
  const advanceUntil = <T>(description: string, poll: () => T | Promise<T>) =>
    until(description, () => {
      clock.advance(1_000);
      return poll();
    });
  await advanceUntil("the menu is read", async () => (await api("menu")).body.creditNotes);
  const terminals = [...new Set(Object.values(tillOf))];
  for (const id of terminals) {
    const own = devices.filter((device) => device !== "alone" && tillOf[device] === id);
    await operator("createTill", { body: { id, name: id, terminals: own } });
  }
  const random = randomFrom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  const account = createAccount(timeZone, tillOf);
  const checks: Check[] = [];
  const closed = new Map<string, ShiftReport>();
  const offline = new Map<Device, { until: number; queue: Queued[] }>();
  const keys = new Map<string, string | undefined>();
  const connected = new Map<string, TestTerminal>();
  let checkCount = 0;
  const actionCounts = new Map<string, number>();
  const countAction = (action: string): void => void actionCounts.set(action, (actionCounts.get(action) ?? 0) + 1);

  async function terminalAt(deviceId: string, login = "cashier"): Promise<TestTerminal> {
    const existing = connected.get(deviceId);
    if (existing?.socket.readyState === 1) return existing;
    const terminal = await hub.terminal({ login, deviceId, deviceKey: keys.get(deviceId) });
    keys.set(deviceId, terminal.hello.deviceKey ?? keys.get(deviceId));
    connected.set(deviceId, terminal);
    return terminal;
  }

  async function send(deviceId: Device, message: Message, queuedAt?: number): Promise<"taken" | "refused"> {
    const terminal = await terminalAt(deviceId);
    const stamp = queuedAt === undefined ? {} : { queuedAt: new Date(queuedAt).toISOString() };
    const request = { mutationId: crypto.randomUUID(), ...message, ...stamp };
    if (String(message["type"]).startsWith("TILL_")) {
      const { type } = await terminal.request(request);
      return type === "TILL_ACK" ? "taken" : "refused";
    }
    return terminal.change(request).then(
      () => "taken",
      () => "refused",
    );
  }

  /** Sends a message, or queues it in order while the device is offline. */
  async function act(device: Device, message: Message, onAnswer: Queued["onAnswer"]): Promise<void> {
    const offlineState = offline.get(device);
    if (offlineState !== undefined) offlineState.queue.push({ queuedAt: now(), message, onAnswer });
    else await onAnswer(await send(device, message));
  }

  async function reconnect(device: Device): Promise<void> {
    const queue = offline.get(device)?.queue ?? [];
    offline.delete(device);
    for (const { queuedAt, message, onAnswer } of queue) {
      const answer = await send(device, message, queuedAt);
      takenAt = queuedAt;
      await onAnswer(answer);
      takenAt = null;
    }
  }

  /** Time of the queued action being replayed, in ms since 1970; null for live actions. */
  let takenAt: number | null = null;
  const doneAt = (): number => takenAt ?? now();

  const order = async (posReference: string): Promise<StoredOrder> =>
    (await operator("order", { params: { posReference } })).body.order;
  const write = ({ ref, tableId, guests, lines }: Check, baseVersion: number) => ({
    type: "ORDER_UPSERT",
    posReference: ref,
    baseVersion,
    snapshot: { orderType: "dine_in", tableId, guestCount: guests, staffName: account.waiters.get(ref), lines },
  });
  const versionOf = async ({ ref }: Check): Promise<number> => (await order(ref)).version;

  function freeTable(): number {
    for (;;) {
      const tableId = 1 + below(59);
      if (checks.every((check) => check.tableId !== tableId)) return tableId;
    }
  }

  async function open(): Promise<void> {
    const ref = `D-${(checkCount += 1)}`;
    const lines = [tostones(`${ref}-a`, 1 + below(3)), extra(`${ref}-x`, 1 + below(40_000) / 100)];
    const own = { tableId: freeTable(), guests: 1 + below(6), party: ref, isApart: false, isPaidOffline: false };
    const check: Check = { ref, ...own, lines, due: totalOf({ lines }), tenders: [] };
    account.waiters.set(ref, staff[below(3)] ?? "");
    await (await terminalAt("alone")).change(write(check, 0));
    await (await terminalAt("alone")).change({ type: "ORDER_SEND", posReference: ref });
    checks.push(check);
  }

  const untouched = (): Check[] =>
    checks.filter(({ tenders, isPaidOffline }) => tenders.length === 0 && !isPaidOffline);

  /** Moves a line to a new check of the same party. */
  async function split(): Promise<void> {
    const origin = pick(untouched().filter(({ lines }) => lines.length > 1));
    if (origin === undefined) return;
    const version = await versionOf(origin);
    origin.isApart = true;
    const part: Check = { ...origin, ref: `D-${(checkCount += 1)}`, lines: origin.lines.splice(-1), tenders: [] };
    account.waiters.set(part.ref, account.waiters.get(origin.ref) ?? "");
    for (const check of [origin, part]) check.due = totalOf(check);
    const orders = [write(part, 0), write(origin, version)];
    await (await terminalAt("alone")).change({ type: "ORDER_BATCH", orders });
    checks.push(part);
    countAction("split");
  }

  /** Merges the checks of two parties. */
  async function merge(): Promise<void> {
    const [source, target] = [pick(untouched()), pick(untouched())];
    if (source === undefined || target === undefined || source === target || source.isApart || target.isApart) return;
    const [sourceVersion, targetVersion] = [await versionOf(source), await versionOf(target)];
    target.lines.push(...source.lines.splice(0));
    target.guests += source.guests;
    target.due = totalOf(target);
    const { guestCount: _, ...all } = write(target, targetVersion).snapshot;
    const orders = [{ ...write(target, targetVersion), snapshot: all }, write(source, sourceVersion)];
    await (await terminalAt("alone")).change({ type: "ORDER_BATCH", orders });
    checks.splice(checks.indexOf(source), 1);
    countAction("merged");
  }

  async function changeWaiter(): Promise<void> {
    const check = pick(checks.filter(({ isPaidOffline }) => !isPaidOffline));
    if (check === undefined) return;
    const { version, snapshot } = await order(check.ref);
    const staffName = staff[below(3)] ?? "";
    if (staffName === snapshot.staffName) return;
    const change = { type: "ORDER_UPSERT", posReference: check.ref, baseVersion: version, snapshot: { staffName } };
    await (await terminalAt("alone")).change(change);
    account.waiters.set(check.ref, staffName);
  }

  /** Takes a part of the amount due, or all of it, which pays the check. */
  async function pay(isWhole: boolean): Promise<void> {
    const device = pick(devices) ?? "front";
    const isAway = offline.has(device);
    const check = pick(isWhole && !isAway ? checks : checks.filter(({ isPaidOffline }) => !isPaidOffline));
    if (check === undefined) return;
    const { ref, party, guests, tenders } = check;
    const amount = isWhole ? check.due : cents(check.due * (0.1 + random() * 0.6));
    if (amount <= 0) return;
    const methodId = pick([CASH, CASH, CARD]) ?? CASH;
    const tip = pick([0, 0, below(50), below(9_999) / 100]) ?? 0;
    const tendered = { identity: crypto.randomUUID(), device, methodId, amount, tip };
    const payment = { methodId, amount, ...(tip > 0 && { tip }) };
    const fiscal = isWhole ? { fiscal: { type: "E32" } } : {};
    const message =
      isWhole && random() < 0.5
        ? { type: "ORDER_PAY", paymentId: tendered.identity, payments: [payment], baseVersion: await versionOf(check) }
        : { type: "ORDER_TENDER", tenderId: tendered.identity, ...payment };
    if (isAway) check.isPaidOffline = true;
    await act(device, { ...message, ...fiscal, posReference: ref }, (answer) => {
      account.book(device, doneAt(), { ...tendered, posReference: ref, kind: "payment" });
      if (isAway) countAction("late");
      // An online device was paid in the meantime, so a manager gives this payment back.
      if (!checks.includes(check)) {
        expect(answer).toBe("refused");
        unapplied.push({ ...tendered, posReference: ref });
        return;
      }
      expect(answer).toBe("taken");
      check.isPaidOffline = false;
      tenders.push(tendered);
      check.due = cents(check.due - amount);
      if (!isWhole) return;
      checks.splice(checks.indexOf(check), 1);
      const sold = { at: now(), total: totalOf(check), legalTip: legalTipOf(check), payments: tenders };
      account.sold.push({ posReference: ref, party, guests, ...sold });
    });
    countAction(isWhole ? "paid" : "tendered");
  }

  /** Payments that arrived after their check was paid. */
  const unapplied: (TakenPayment & { posReference: string })[] = [];
  async function giveBackUnapplied(): Promise<void> {
    const found = unapplied.pop();
    if (found === undefined) return;
    const { identity, posReference, device, methodId, amount, tip } = found;
    const params = { paymentId: identity };
    expect(await operator("settlePayment", { params, body: { note: "devuelto" } })).toMatchObject({ status: 200 });
    const back = { identity, posReference, methodId, amount: 0 - amount, tip: 0 - tip } as const;
    account.book(device, now(), { ...back, kind: "given_back" });
    countAction("given back");
  }

  async function voidTender(): Promise<void> {
    const check = pick(checks.filter(({ tenders, isPaidOffline }) => tenders.length > 0 && !isPaidOffline));
    const tender = check?.tenders.pop();
    if (check === undefined || tender === undefined) return;
    const { identity, device, methodId, amount, tip } = tender;
    const by = offline.has("front") ? "alone" : "front";
    await (await terminalAt(by)).change({ type: "ORDER_TENDER_VOID", tenderId: identity, reason: "error" });
    const back = { identity, posReference: check.ref, methodId, amount: 0 - amount, tip: 0 - tip } as const;
    account.book(device, now(), { ...back, kind: "given_back" });
    check.due = cents(check.due + amount);
    countAction("void");
  }

  const cashiers = ["front", "side", "back"] as const;
  /** The open shift as an offline device sees it, including its queued actions. */
  const offlineShifts = new Map<Device, string | null>();
  const shiftAt = (device: (typeof cashiers)[number]): string | null =>
    offline.has(device) ? (offlineShifts.get(device) ?? null) : (account.openAt(tillOf[device])?.id ?? null);

  async function openShift(): Promise<void> {
    const device = pick(cashiers) ?? "front";
    if (shiftAt(device) !== null) return;
    const shiftId = crypto.randomUUID();
    const float = cents(below(200_000) / 100);
    offlineShifts.set(device, shiftId);
    await act(device, { type: "TILL_OPEN", tillId: tillOf[device], shiftId, float }, (answer) => {
      const isOpened = account.open({ id: shiftId, till: tillOf[device], openedAt: doneAt(), float });
      expect(answer).toBe(isOpened ? "taken" : "refused");
    });
    countAction("opened");
  }

  async function countShift(): Promise<void> {
    const device = pick(cashiers) ?? "front";
    const shiftId = shiftAt(device);
    if (shiftId === null) return;
    const shift = account.shifts.find(({ id }) => id === shiftId);
    const off = random() < 0.3 ? 150 : cents(below(5_000) / 100);
    const cash = cents(Math.max(0, shift === undefined ? 0 : account.expectedCash(shift)) + off);
    const counted = [{ methodId: CASH, amount: cash }];
    offlineShifts.set(device, null);
    await act(device, { type: "TILL_COUNT", shiftId, counted }, async (answer) => {
      const closes = account.count(shiftId, cash, doneAt());
      expect(answer).toBe(closes === true ? "taken" : "refused");
      if (closes === null) return;
      // A second person counts the same amount.
      if (!closes) {
        const manager = await terminalAt("office", "manager");
        expect(
          await manager.request({ type: "TILL_COUNT", mutationId: crypto.randomUUID(), shiftId, counted }),
        ).toMatchObject({
          type: "TILL_ACK",
        });
      }
      closed.set(shiftId, (await operator("shift", { params: { shiftId } })).body);
    });
    countAction("counted");
  }

  async function move(): Promise<void> {
    const device = pick(cashiers) ?? "front";
    const shiftId = shiftAt(device);
    if (shiftId === null) return;
    const [kind, amount] = [pick(["in", "out", "drop"] as const) ?? "in", cents(1 + below(30_000) / 100)];
    await act(device, { type: "TILL_MOVE", shiftId, kind, amount, reason: "x" }, (answer) => {
      expect(answer).toBe(account.move(shiftId, kind === "in" ? amount : -amount) ? "taken" : "refused");
    });
    countAction("moved");
  }

  /** Refunds a whole check or one dish, of today or an earlier day. */
  async function refund(): Promise<void> {
    const found = pick(
      account.sold.filter(({ posReference }) => !account.refunds.some((each) => each.posReference === posReference)),
    );
    const [payment] = found?.payments ?? [];
    if (found === undefined || payment === undefined || found.payments.length > 1) return;
    const { posReference, total, legalTip } = found;
    const { snapshot } = await advanceUntil("it is in accounting, with its number", async () => {
      const stored = await order(posReference);
      return stored.snapshot.status === "closed" && stored.snapshot.ncf !== undefined && stored;
    });
    const line = snapshot.lines.find(({ id }) => id.endsWith("-a"));
    const isPart = line !== undefined && random() < 0.5;
    const amount = isPart ? 288 : total;
    const device = pick([null, ...cashiers]) ?? null;
    const named =
      random() < 0.2 ? (pick(account.shifts.filter(({ countedAt }) => countedAt === null))?.id ?? null) : null;
    if (device !== null) await terminalAt(device);
    const refundId = crypto.randomUUID();
    const body = {
      posReference,
      refundId,
      reason: "frío",
      ...(isPart && { lines: [{ lineId: line.id, quantity: 1 }] }),
      refund: [{ methodId: payment.methodId, amount, ...(named !== null && { shiftId: named }) }],
      ...(device !== null && { deviceKey: keys.get(device) }),
    };
    const answer = await api("refund", { token: await hub.signIn("manager"), body });
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { refund: { state: "made" } } });
    const payments = [{ methodId: payment.methodId, amount }];
    const entry = { refundId, at: now(), posReference, amount, payments };
    account.refund({ ...entry, legalTip: isPart ? 22.5 : legalTip }, device, named);
    countAction("refunded");
  }

  async function assign(): Promise<void> {
    const row = pick(account.unassigned().filter(({ kind }) => kind === "payment"));
    const shift = pick(account.shifts);
    if (row === undefined || shift === undefined) return;
    const { body } = await operator("assignPayment", {
      params: { paymentId: row.identity },
      body: { shiftId: shift.id },
    });
    expect(body).toMatchObject({ late: account.assign(row.identity, shift.id) });
    countAction("assigned");
  }

  async function discard(): Promise<void> {
    const check = pick(untouched());
    if (check === undefined) return;
    const baseVersion = await versionOf(check);
    await (
      await terminalAt("alone")
    ).change({ type: "ORDER_DISCARD", posReference: check.ref, baseVersion, reason: "x" });
    checks.splice(checks.indexOf(check), 1);
  }

  /** Takes a device offline for one hour, six hours or a day. */
  function goOffline(): void {
    const device = pick(["front", "back", "side"] as const) ?? "front";
    if (offline.has(device)) return;
    offlineShifts.set(device, account.openAt(tillOf[device])?.id ?? null);
    offline.set(device, { until: now() + (pick([1, 6, 24]) ?? 1) * HOUR_MS, queue: [] });
    countAction("away");
  }

  const restart = async (): Promise<void> => {
    connected.clear();
    await hub.restart();
    await advanceUntil("the menu is read again", async () => (await hub.send("GET", "/health")).body.lastErpSync);
  };

  const actions: readonly (readonly [number, () => Promise<void> | void])[] = [
    [14, open],
    [5, split],
    [4, merge],
    [2, giveBackUnapplied],
    [3, changeWaiter],
    [16, () => pay(true)],
    [8, () => pay(false)],
    [2, voidTender],
    [6, openShift],
    [4, countShift],
    [4, move],
    [5, refund],
    [2, assign],
    [1, discard],
    [2, goOffline],
    [0.3, restart],
  ];

  async function step(): Promise<void> {
    const returning = [...offline].filter(([, { until: back }]) => back <= now());
    for (const [device] of returning) await reconnect(device);
    let at = random() * actions.reduce((all, [weight]) => all + weight, 0);
    await actions.find(([weight]) => (at -= weight) < 0)?.[1]();
    // Periodic timers fire once instead of throughout the skipped time, which would dominate the run time.
    clock.stall(Math.round(-Math.log(1 - random()) * 21.6 * MINUTE_MS));
    clock.advance(1_000);
  }

  return {
    hub,
    operator,
    account,
    closed: closed as ReadonlyMap<string, ShiftReport>,
    actionCounts: actionCounts as ReadonlyMap<string, number>,
    advanceUntil,
    now,
    step,
    /** Brings all devices online and waits until accounting has everything. */
    async finish(): Promise<void> {
      for (const device of offline.keys()) await reconnect(device);
      while (unapplied.length > 0) await giveBackUnapplied();
      await advanceUntil("accounting has everything", async () => {
        const { totals } = (await operator("closing")).body;
        return totals.notYetInAccounting === 0;
      });
    },
  };
}
