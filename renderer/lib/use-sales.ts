import type { StreamEvent } from "@comanda/protocol";
import { useEffect } from "react";
import { readAgain, useHub } from "./hub.ts";
import { useLive } from "./live.ts";

/** The hub counts all checks of the day for it: so often at most, however often an order changes. */
const READ_AGAIN_MS = 5000;

function isOfOrders(event: StreamEvent): boolean {
  if (event.type === "changed") return event.topics.includes("orders");
  return event.type === "order" || event.type === "order_removed";
}

/** What the business day has sold, read again soon after something of the orders has changed. */
export function useSales() {
  const live = useLive();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const end = live.onEvents((events) => {
      const isNews = events.some(isOfOrders);
      if (!isNews || timer !== null) return;
      timer = setTimeout(() => {
        timer = null;
        readAgain(["sales"]);
      }, READ_AGAIN_MS);
    });
    return () => {
      end();
      if (timer !== null) clearTimeout(timer);
    };
  }, [live]);
  return useHub("sales");
}
