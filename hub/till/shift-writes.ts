import { sentence, type ForeignCurrency, type MoveKind } from "@comanda/protocol";
import { refusalOfMove, refusalOfOpening } from "@comanda/rules";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import type { Drawer, DrawerDeps } from "./drawer.ts";
import { requireAccepted } from "./accepted-currencies.ts";
import {
  approvedNote,
  actorFields,
  occurredAt,
  type MutationOf,
  present,
  requireAllowed,
  type TillAnswer,
  type TillWriter,
} from "./till-mutation.ts";

const MAX_MOVES = 1_000;

/** Opens shifts, and moves money into and out of their drawers. */
export function createShiftWrites(
  deps: Pick<DrawerDeps, "tills" | "shiftEvents" | "cashMethods" | "paperContext"> & {
    drawer: Pick<Drawer, "open">;
    /** Foreign currencies that the restaurant accepts; null if they were never read. */
    currencies(): readonly Pick<ForeignCurrency, "code">[] | null;
    audit: Pick<AuditLog, "record">;
  },
) {
  const { tills, shiftEvents, drawer, cashMethods, currencies, paperContext, audit } = deps;

  return {
    open(tx: Tx, mutation: MutationOf<"TILL_OPEN">, writer: TillWriter, queuedAt: number | null): TillAnswer {
      const { tillId, shiftId, float, floats = [] } = mutation;
      const till = present(tills.get(tillId));
      requireAllowed(refusalOfOpening(writer.role, till), `till ${tillId}`);
      if (till === null || tills.getShift(shiftId) !== null)
        throw new HubError("VALIDATION_ERROR", "shiftId: it was used before");
      if (new Set(floats.map(({ currency }) => currency)).size < floats.length) {
        throw new HubError("VALIDATION_ERROR", "floats: a currency is listed twice");
      }
      requireAccepted("floats", floats, currencies());
      const [last] = tills.listShiftTimes(tillId);
      const seq = tills.openShift(tx, {
        id: shiftId,
        tillId,
        tillName: till.name,
        openedAt: Math.max(queuedAt ?? tx.now, last?.countedAt ?? 0),
        openedBy: writer.userName,
        cashMethodId: cashMethods()[0] ?? "cash",
        float,
        floats,
      });
      const { format } = paperContext();
      const foreign = floats.map(({ currency, amount }) => `${currency} ${format.amount(amount)}`);
      const opened =
        writer.approvedBy === undefined
          ? { ...sentence("note_float", { amount: float }), ...(foreign.length > 0 && { words: foreign.join(", ") }) }
          : approvedNote(writer, [format.money(float), ...foreign].join(", "));
      audit.record(tx, writer.userName, "shift.open", till.name, opened);
      tx.notify(["tills"]);
      return { tillId, shiftId, seq };
    },

    move(tx: Tx, mutation: MutationOf<"TILL_MOVE">, writer: TillWriter, queuedAt: number | null): TillAnswer {
      const { shiftId, kind, amount, reason, cause, userName, mutationId } = mutation;
      const shift = tills.getShift(shiftId);
      requireAllowed(refusalOfMove(writer.role, shift), `shift ${shiftId}`);
      const { moves } = shiftEvents.listByShift(shiftId);
      if (shift === null || moves.length >= MAX_MOVES)
        throw new HubError("LIMIT_REACHED", "shiftId: it has too many moves");
      const till = tills.get(shift.tillId);
      if (till === null) throw new HubError("NO_TILL", `there is no till ${shift.tillId}`);
      const body = {
        kind,
        amount,
        reason,
        ...(cause !== undefined && { cause }),
        ...(userName !== undefined && { userName }),
        at: isoTime(occurredAt(tx, queuedAt, shift)),
        ...actorFields(writer),
      };
      shiftEvents.add(tx, "move", { tillId: till.id, shiftId, mutationId }, body);
      const note = userName === undefined ? reason : `${reason} · ${userName}`;
      const text = `${moveNames[kind]} ${paperContext().format.money(amount)} · ${note}`;
      drawer.open(tx, till, writer, { why: "move", reason, slipText: text, mutationId, queuedAt });
      const moved = sentence(`note_cash_${kind}`, { amount });
      audit.record(tx, writer.userName, "till.move", till.name, { ...moved, words: note });
      tx.notify(["tills"]);
      return { tillId: till.id, shiftId, seq: till.seq };
    },
  };
}

/** Names on the slip. */
const moveNames: Readonly<Record<MoveKind, string>> = { in: "ENTRADA", out: "SALIDA", drop: "RETIRO A CAJA FUERTE" };
