import type { TableState, TerminalMessageInput } from "@comanda/protocol";
import { TerminalRefusal } from "../refusal.ts";
import { throwIfError, type Requests } from "./requests.ts";

export type TableRequests = ReturnType<typeof createTableRequests>;

export function createTableRequests(requests: Requests) {
  return {
    /** Locks a table, as advice to others. Rejects with TerminalRefusal LEASE_HELD if another terminal has locked it. */
    async lockTable(tableId: number, ttlMs?: number): Promise<TableState["lock"]> {
      const answer = await send({ type: "TABLE_LOCK", tableId, ttlMs }, "table lock request timed out");
      if (answer.type === "TABLE_LOCK_DENIED") {
        throw new TerminalRefusal("LEASE_HELD", `table ${tableId} is locked by ${answer.lock.userName}`);
      }
      return answer.type === "TABLE_LOCKED" ? answer.lock : null;
    },
    async unlockTable(tableId: number): Promise<void> {
      await send({ type: "TABLE_UNLOCK", tableId }, "table unlock request timed out");
    },
    async reserveTable(tableId: number): Promise<void> {
      await send({ type: "TABLE_RESERVE", tableId }, "table reservation timed out");
    },
    async unreserveTable(tableId: number): Promise<void> {
      await send({ type: "TABLE_UNRESERVE", tableId }, "table reservation timed out");
    },
  };

  async function send(message: TerminalMessageInput, timeoutText: string) {
    return throwIfError(await requests.send(message, timeoutText));
  }
}
