import type { ReactNode } from "react";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { desktopTerminal } from "../../lib/device/desktop.ts";

/** Named once: each import adds its list of files to the first load. */
const frames = () => import("./frames.ts");
const FrameWithBridge = lazyPart(frames, "FrameWithBridge");
const WrapperFrame = lazyPart(frames, "WrapperFrame");

/** Adds the parts that only the desktop app or an Android app has. In a browser it adds nothing. */
export function DesktopFrame({ children }: { children: ReactNode }) {
  const bridge = desktopTerminal();
  const wrapper = window.comandaWrapper;
  if (wrapper !== undefined) {
    return (
      <>
        {children}
        <WrapperFrame wrapper={wrapper} />
      </>
    );
  }
  return bridge === null ? children : <FrameWithBridge bridge={bridge}>{children}</FrameWithBridge>;
}
