import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";

/** Returns the tables locked by other terminals for guests who move there, with a text that names the user. */
export function useTableLocks(): ReadonlyMap<number, string> {
  const { t } = useTranslation("check");
  const { deviceId } = useTerminal();
  const locks = useLive("tables").flatMap(({ tableId, lock }) =>
    lock === null || lock.terminalId === deviceId ? [] : [[tableId, t("lockedBy", { name: lock.userName })] as const],
  );
  return new Map(locks);
}
