import { performance } from "node:perf_hooks";

/** How busy the load generator itself was during a measurement. */
export interface LoadUsage {
  /** Its CPU time divided by wall time; can exceed 1 because of other threads. */
  cpu: number;
  /** Share of the time in which its event loop was not idle, including waits for a CPU. */
  loop: number;
}

/** Above this share the figure measures the load generator as much as the server. */
const BOTTLENECK = 0.9;

export function startUsage(): () => LoadUsage {
  const cpuBefore = process.cpuUsage();
  const loopBefore = performance.eventLoopUtilization();
  const startedAt = performance.now();
  return () => {
    const cpu = process.cpuUsage(cpuBefore);
    const wallUs = (performance.now() - startedAt) * 1000;
    return { cpu: (cpu.user + cpu.system) / wallUs, loop: performance.eventLoopUtilization(loopBefore).utilization };
  };
}

export function wasBottleneck(usage: LoadUsage): boolean {
  return usage.cpu > BOTTLENECK || usage.loop > BOTTLENECK;
}
