import { isDeepStrictEqual } from "node:util";
import type { OrderVersion, Snapshot, StoredOrder } from "@comanda/protocol";
import { beginningFacts, orderFacts } from "@comanda/rules";
import type { RemovedOrder } from "../../orders/store/removed-orders.ts";
import { HubError } from "../../platform/errors.ts";
import { isoTime } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";

/** Reads the versions of an order, each with what changed and who did it. */
export function createOrderVersions({ orders, versionPeople }: Pick<Stores, "orders" | "versionPeople">) {
  return { find, versions };

  /** Returns the order as it is, or as it was when it was discarded. Throws NOT_FOUND. */
  function find(posReference: string): { order: StoredOrder; removal: RemovedOrder | null } {
    const order = orders.getWithForward(posReference);
    if (order !== null) return { order, removal: null };
    const removal = orders.getRemoval(posReference);
    const last = removal === null ? null : orders.lastContent(posReference);
    if (removal === null || last === null) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
    return { order: { ...last, forward: { state: "none" } }, removal };
  }

  function versions(posReference: string): OrderVersion[] {
    const { removal } = find(posReference);
    const people = versionPeople.findByOrder(posReference);
    const approvalOf = (version: number) => {
      const approvedBy = people.get(version)?.approvedBy ?? null;
      return approvedBy === null ? {} : { approvedBy };
    };
    let before: StoredOrder | null = null;
    const rows = orders.listVersions(posReference).map((row): OrderVersion => {
      const body = row.order;
      const facts =
        before === null
          ? row.kind === "created"
            ? beginningFacts(body.snapshot.lines)
            : []
          : orderFacts(before.snapshot, body.snapshot, row.kind);
      const fiscal = fiscalChange(before?.snapshot, body.snapshot);
      before = body;
      const { version, kind, origin, userName } = row;
      const { status, totals } = body.snapshot;
      const head = { version, at: isoTime(row.at), kind, origin, userName, ...approvalOf(version) };
      return { ...head, status, total: totals.total, ...fiscal, facts };
    });
    const last = rows.at(-1);
    if (removal === null || last === undefined) return rows;
    const { version, origin, removedAt, reason, mergedInto } = removal;
    const userName = people.get(version)?.userName ?? null;
    const removalRow = {
      version,
      at: isoTime(removedAt),
      kind: "discarded" as const,
      origin,
      userName,
      ...approvalOf(version),
      ...(mergedInto !== null && { mergedInto: [...mergedInto] }),
      ...(reason !== null && { reason }),
    };
    return [...rows, { ...removalRow, status: last.status, total: last.total, facts: [] }];
  }
}

/** Returns the fiscal number, its state and its receipt, if the version has changed any of them. */
function fiscalChange(before: Snapshot | undefined, { ncf, fiscal }: Snapshot): Pick<OrderVersion, "fiscal"> {
  if (fiscal === undefined || fiscal.status === "none") return {};
  const isSameReceipt = isDeepStrictEqual(before?.fiscal?.ecf, fiscal.ecf);
  if (before?.ncf === ncf && before?.fiscal?.status === fiscal.status && isSameReceipt) return {};
  return { fiscal: { ...fiscal, ...(ncf !== undefined && { ncf }) } };
}
