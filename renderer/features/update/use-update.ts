import type { DesktopBridge, UpdateState } from "@comanda/protocol";
import { useEffect, useState } from "react";

/** Where the app's update flow stands; nothing to show until it has said so. */
export function useUpdate(bridge: DesktopBridge): UpdateState {
  const [update, setUpdate] = useState<UpdateState>({ name: "app" });
  useEffect(() => {
    let told = false;
    const end = bridge.onUpdate((next) => {
      told = true;
      setUpdate(next);
    });
    void bridge.getUpdate().then((first) => {
      if (!told) setUpdate(first);
    });
    return end;
  }, [bridge]);
  return update;
}
