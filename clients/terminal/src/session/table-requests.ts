import type { TableState, TerminalMessageInput } from "@comanda/protocol";
import { TerminalRefusal } from "../refusal.ts";
import { throwIfError, type Requests } from "./requests.ts";

export interface TableRequests {
  /** Advisory. Rejects with TerminalRefusal LEASE_HELD when another terminal holds it. */
  lockTable(tableId: number, ttlMs?: number): Promise<TableState["lock"]>;
  unlockTable(tableId: number): Promise<void>;
  reserveTable(tableId: number): Promise<void>;
  unreserveTable(tableId: number): Promise<void>;
}

export function createTableRequests(requests: Requests): TableRequests {
  return {
    async lockTable(tableId, ttlMs) {
      const answer = await send({ type: "TABLE_LOCK", tableId, ttlMs }, "table lock request timed out");
      if (answer.type === "TABLE_LOCK_DENIED") {
        throw new TerminalRefusal("LEASE_HELD", `table ${tableId} is locked by ${answer.lock.userName}`);
      }
      return answer.type === "TABLE_LOCKED" ? answer.lock : null;
    },
    async unlockTable(tableId) {
      await send({ type: "TABLE_UNLOCK", tableId }, "table unlock request timed out");
    },
    async reserveTable(tableId) {
      await send({ type: "TABLE_RESERVE", tableId }, "table reservation timed out");
    },
    async unreserveTable(tableId) {
      await send({ type: "TABLE_UNRESERVE", tableId }, "table reservation timed out");
    },
  };

  async function send(message: TerminalMessageInput, timeoutText: string) {
    return throwIfError(await requests.send(message, timeoutText));
  }
}
