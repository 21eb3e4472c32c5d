import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLive } from "../../lib/connection/pos.ts";

const Trouble = lazyPart(() => import("./trouble.tsx"), "Trouble");

/** Warns about print jobs of this terminal that have not come out, if there are any. */
export function PrintTrouble() {
  const jobs = useLive("printJobs");
  if (jobs.length === 0) return null;
  return <Trouble jobs={jobs} />;
}
