import type { PrintJobNews } from "@comanda/protocol";
import { expect, it } from "vitest";
import { createEmitter } from "./emitter.ts";
import { createSessionFacts } from "./session-facts.ts";
import type { TerminalEvents } from "./terminal-interface.ts";

it("print jobs that need attention are kept until they are printed or decided [PRINT-20]", () => {
  const emitter = createEmitter<TerminalEvents>();
  const facts = createSessionFacts({ emitter, keepSession: () => {} });
  const shown: string[] = [];
  emitter.on("printJobs", (jobs) => shown.push(jobs.map(({ id, state }) => `${id} ${state}`).join(", ")));
  const job = (id: string, state: PrintJobNews["state"], more: Partial<PrintJobNews> = {}): PrintJobNews => {
    return { id, state, document: "station", printer: "Cocina", ...more };
  };
  facts.printJobsRead([]);
  facts.printJobsRead([job("a", "unknown", { error: "line_broken" })]);
  facts.printChanged(job("b", "waiting", { error: "paper_out" }));
  facts.printChanged(job("b", "failed", { error: "expired" }));
  facts.printChanged(job("a", "unknown", { error: "line_broken", settled: true }));
  facts.printChanged(job("b", "printed"));
  facts.printChanged(job("c", "printed"));
  expect(shown).toEqual(["a unknown", "a unknown, b waiting", "a unknown, b failed", "b failed", ""]);
});
