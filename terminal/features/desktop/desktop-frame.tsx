import { lazy, Suspense, type ReactNode } from "react";
import { desktopTerminal } from "../../lib/device/desktop.ts";

/** Named once: each import adds its list of files to the first load. */
const frames = () => import("./frames.ts");
const FrameWithBridge = lazy(async () => ({ default: (await frames()).FrameWithBridge }));
const WrapperFrame = lazy(async () => ({ default: (await frames()).WrapperFrame }));

/** Adds the parts that only the desktop app or an Android app has. In a browser it adds nothing. */
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
