import { connectDevtools } from "./devtools.ts";
import type { Program } from "./program.ts";

/** Node options that open a program's inspector on a free port. */
export const inspectable = ["--inspect-port=127.0.0.1:0"] as const;

/**
 * Creates a meter of a program's heap and buffers (MiB) after a full garbage collection. Resident memory would also include
 * what the collector has not freed yet.
 */
export async function createHeapMeter(program: Program) {
  const address = Promise.withResolvers<string>();
  program.onErrorLine((line) => {
    const url = /ws:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) address.resolve(url);
  });
  process.kill(program.pid, "SIGUSR1");
  const tooLate = setTimeout(() => address.reject(new Error(`${program.name} opened no inspector`)), 5000);
  const devtools = await connectDevtools(await address.promise.finally(() => clearTimeout(tooLate)));
  return {
    async liveMiB(): Promise<number> {
      await devtools.call("HeapProfiler.collectGarbage");
      await devtools.call("HeapProfiler.collectGarbage");
      const expression = "(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())";
      const { result } = await devtools.call<{ result: { value: number } }>("Runtime.evaluate", { expression });
      return result.value / 1_048_576;
    },
    close: devtools.close,
  };
}
