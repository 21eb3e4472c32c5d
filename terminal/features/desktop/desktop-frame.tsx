import { lazy, Suspense, type ReactNode } from "react";
import { desktopTerminal } from "../../lib/desktop.ts";

const FrameWithBridge = lazy(async () => ({ default: (await import("./frame-with-bridge.tsx")).FrameWithBridge }));

/** What only the desktop app has: the choice of the hub, its settings and its updates. In a browser there is nothing here. */
export function DesktopFrame({ children }: { children: ReactNode }) {
  const bridge = desktopTerminal();
  if (bridge === null) return children;
  return (
    <Suspense fallback={null}>
      <FrameWithBridge bridge={bridge}>{children}</FrameWithBridge>
    </Suspense>
  );
}
