import type { RecentOrders } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useLive, useTerminal } from "../lib/connection/pos.ts";
import { paidChecks, withNextPage } from "./paid-checks.ts";

const PAGE = 100;

/** The hub's last list, shown at once when the user returns to the screen. */
let lastListed: RecentOrders | null = null;

/** State of the shift's paid checks: from the hub while it answers, otherwise as known to this device. */
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
  // Loads the list again when the POS session changes.
  useEffect(() => {
    if (isOnline) void load(terminal, null).then(show);
  }, [isOnline, posSession, terminal, show]);

  const isStale = hasFailed || !isOnline;
  const hasMore = listed !== null && listed.nextCursor !== null && !isStale;
  return {
    checks: useMemo(() => paidChecks(orders, listed), [orders, listed]),
    /** Until when the list is complete if the hub cannot be reached, ISO 8601; null if it is current. */
    staleSince: isStale ? (terminal.asOf() ?? listed?.asOf ?? null) : null,
    /** Null if there are no more pages. */
    loadMore: hasMore ? () => void load(terminal, listed).then(show) : null,
  };
}

/** Loads the first page, or the page after `before`. Returns null if the hub cannot be reached. */
async function load({ http }: Terminal, before: RecentOrders | null): Promise<RecentOrders | null> {
  const cursor = before?.nextCursor ?? null;
  try {
    const page = await http.recentOrders({ limit: PAGE, ...(cursor !== null && { cursor }) });
    return before === null ? page : withNextPage(before, page);
  } catch {
    return null;
  }
}
