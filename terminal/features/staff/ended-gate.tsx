import { Suspense, type ReactNode } from "react";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLive } from "../../lib/pos.ts";

const EndedScreen = lazyPart(async () => (await import("./ended-screen.tsx")).EndedScreen);

/** A session that ended for good takes the place of the screens. */
export function EndedGate({ children }: { children: ReactNode }) {
  if (useLive("connection").name !== "ended") return children;
  return (
    <Suspense>
      <EndedScreen />
    </Suspense>
  );
}
