import type { DesktopBridge, UpdateState } from "@comanda/protocol";
import { useEffect, useState } from "react";

/** The state of the desktop app's update; "app", which shows nothing, until it is known. */
export function useUpdate(bridge: Pick<DesktopBridge, "getUpdate" | "onUpdate">): UpdateState {
  const [update, setUpdate] = useState<UpdateState>({ name: "app" });
  useEffect(() => {
    let received = false;
    const end = bridge.onUpdate((next) => {
      received = true;
      setUpdate(next);
    });
    void bridge.getUpdate().then((first) => {
      if (!received) setUpdate(first);
    });
    return end;
  }, [bridge]);
  return update;
}
