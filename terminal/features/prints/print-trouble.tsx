import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLive } from "../../lib/connection/pos.ts";

const Trouble = lazyPart(async () => (await import("./trouble.tsx")).Trouble);

/** What this terminal has had printed and did not come out, as soon as there is something. */
export function PrintTrouble() {
  const jobs = useLive("printJobs");
  if (jobs.length === 0) return null;
  return <Trouble jobs={jobs} />;
}
