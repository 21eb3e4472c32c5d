import type { Devtools } from "./devtools.ts";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Wall time in microseconds. */
  dur?: number;
  /** CPU time of the thread in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** The longest task of a page's main thread, in ms: in wall time and in CPU time. */
export interface LongestTask {
  wall: number;
  cpu: number;
}

/**
 * Records every task of the pages' main threads while `work` runs. CPU time measures the task itself, however busy the machine
 * is with other work.
 */
export async function longestTask(devtools: Devtools, work: () => Promise<void>): Promise<LongestTask> {
  const events: TraceEvent[] = [];
  const complete = Promise.withResolvers<void>();
  const off = [
    devtools.on("Tracing.dataCollected", ({ value }) => void events.push(...(value as TraceEvent[]))),
    devtools.on("Tracing.tracingComplete", () => complete.resolve()),
  ];
  await devtools.call("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "disabled-by-default-devtools.timeline"] },
  });
  try {
    await work();
  } finally {
    await devtools.call("Tracing.end");
    await complete.promise;
    for (const end of off) end();
  }
  const mainThreads = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(({ name, ph, pid, tid }) => {
    return ph === "X" && name.endsWith("RunTask") && mainThreads.has(`${pid} ${tid}`);
  });
  const longest = (value: (task: TraceEvent) => number) =>
    tasks.reduce((most, task) => Math.max(most, value(task)), 0) / 1000;
  return { wall: longest(({ dur = 0 }) => dur), cpu: longest(({ tdur = 0 }) => tdur) };
}
