import { once } from "node:events";
import { WebSocket } from "ws";
import type { Program } from "./program.ts";

/** Start a program with this so that `liveMiB` can open its inspector on a port of its own. */
export const inspectable = ["--inspect-port=127.0.0.1:0"] as const;

/**
 * Memory that a program holds after a full garbage collection: heap and buffers, in MiB. Resident memory would mix it
 * with what the collector has not bothered to free yet.
 */
export async function createHeapMeter(
  program: Program,
): Promise<{ liveMiB: () => Promise<number>; close: () => void }> {
  const address = Promise.withResolvers<string>();
  program.onErrorLine((line) => {
    const url = /ws:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) address.resolve(url);
  });
  process.kill(program.pid, "SIGUSR1");
  const tooLate = setTimeout(() => address.reject(new Error(`${program.name} opened no inspector`)), 5000);
  const url = await address.promise.finally(() => clearTimeout(tooLate));
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  let lastId = 0;
  const call = async (method: string, params: Record<string, unknown> = {}): Promise<unknown> => {
    lastId += 1;
    const id = lastId;
    const answer = new Promise<unknown>((resolve) => {
      const listen = (data: unknown): void => {
        const message = JSON.parse(String(data)) as { id?: number; result?: unknown };
        if (message.id !== id) return;
        socket.off("message", listen);
        resolve(message.result);
      };
      socket.on("message", listen);
    });
    socket.send(JSON.stringify({ id, method, params }));
    return await answer;
  };
  return {
    async liveMiB() {
      await call("HeapProfiler.collectGarbage");
      await call("HeapProfiler.collectGarbage");
      const expression = "(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())";
      const { result } = (await call("Runtime.evaluate", { expression })) as { result: { value: number } };
      return result.value / 1_048_576;
    },
    close: () => socket.terminate(),
  };
}
