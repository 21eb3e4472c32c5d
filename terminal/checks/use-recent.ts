import type { RecentOrders } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useLive, useTerminal } from "../lib/connection/pos.ts";
import { paidChecks, withNextPage } from "./paid-checks.ts";

const PAGE = 100;

/** The last list of the hub: shown again at once when somebody comes back to the screen. */
let lastListed: RecentOrders | null = null;

/** The paid checks of the shift: from the hub while it answers, else what this device knows. */
export function useRecent() {
  const terminal = useTerminal();
  const orders = useLive("orders");
  const isOnline = useLive("connection").name === "online";
  const [posSession, setPosSession] = useState(terminal.session()?.id);
  const [listed, setListed] = useState(lastListed);
  const [hasFailed, setFailed] = useState(false);
  const show = useCallback((answer: RecentOrders | null) => {
    lastListed = answer ?? lastListed;
    setListed(lastListed);
    setFailed(answer === null);
  }, []);
  useEffect(() => terminal.on("session", ({ id }) => setPosSession(id)), [terminal]);
  // The list is another one when the POS session is.
  useEffect(() => {
    if (isOnline) void load(terminal, null).then(show);
  }, [isOnline, posSession, terminal, show]);

  const isStale = hasFailed || !isOnline;
  const hasMore = listed !== null && listed.nextCursor !== null && !isStale;
  return {
    checks: useMemo(() => paidChecks(orders, listed), [orders, listed]),
    /** Until when what is shown is complete, where the hub could not be asked now; ISO 8601. */
    staleSince: isStale ? (terminal.asOf() ?? listed?.asOf ?? null) : null,
    /** Null: there is nothing more. */
    loadMore: hasMore ? () => void load(terminal, listed).then(show) : null,
  };
}

/** The first page, or what comes after `before`; null when the hub cannot be asked. */
async function load({ http }: Terminal, before: RecentOrders | null): Promise<RecentOrders | null> {
  const cursor = before?.nextCursor ?? null;
  try {
    const page = await http.recentOrders({ limit: PAGE, ...(cursor !== null && { cursor }) });
    return before === null ? page : withNextPage(before, page);
  } catch {
    return null;
  }
}
