import { lazy, Suspense, type ReactNode } from "react";
import { desktopTerminal } from "../../lib/device/desktop.ts";

const FrameWithBridge = lazy(async () => ({ default: (await import("./frame-with-bridge.tsx")).FrameWithBridge }));
const WrapperFrame = lazy(async () => ({ default: (await import("./wrapper-frame.tsx")).WrapperFrame }));

/** What only the desktop app has, or an Android app around the page. In a browser there is nothing here. */
export function DesktopFrame({ children }: { children: ReactNode }) {
  const bridge = desktopTerminal();
  const wrapper = window.comandaWrapper;
  if (wrapper !== undefined) {
    return (
      <>
        {children}
        <Suspense fallback={null}>
          <WrapperFrame wrapper={wrapper} />
        </Suspense>
      </>
    );
  }
  if (bridge === null) return children;
  return (
    <Suspense fallback={null}>
      <FrameWithBridge bridge={bridge}>{children}</FrameWithBridge>
    </Suspense>
  );
}
