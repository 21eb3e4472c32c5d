import { useStore } from "@comanda/ui/store.ts";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { openModals } from "@comanda/ui/modal.tsx";
import { Suspense } from "react";
import { useLive } from "../../lib/pos.ts";

const PrintTroubleStrip = lazyPart(async () => (await import("./print-trouble-strip.tsx")).PrintTroubleStrip);

/** What this terminal has had printed and did not come out, as soon as there is something, below everything else. */
export function PrintTrouble() {
  const jobs = useLive("printJobs");
  const isCovered = useStore(openModals).length > 0;
  if (jobs.length === 0 || isCovered) return null;
  return (
    <Suspense>
      <PrintTroubleStrip jobs={jobs} />
    </Suspense>
  );
}
