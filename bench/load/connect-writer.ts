import { connectTerminal } from "./connect-terminal.ts";
import type { Frame } from "./decode-frame.ts";
import type { Target } from "./flavour.ts";
import { createFrameCache } from "./frame-cache.ts";

/** Connects a terminal that prepares a scenario: it sends many messages concurrently and fails at the first refusal. */
export async function connectWriter({ target, deviceId }: { target: Target; deviceId: string }) {
  let refused: string | null = null;
  const remember = (refusal: Record<string, unknown> | null): void => {
    if (refusal !== null) refused ??= `${deviceId}: ${JSON.stringify(refusal).slice(0, 400)}`;
  };
  let answered = remember;
  const { send, close } = await connectTerminal({
    target,
    deviceId,
    decode: createFrameCache(target.flavour),
    onFrame(frame: Frame) {
      for (const message of frame.others) {
        const type = message["type"];
        if (type === "ORDER_ACK") answered(null);
        if (type === "ORDER_REJECTED" || type === "ERROR") answered(message);
      }
      for (let n = 0; n < frame.acknowledgements.length; n += 1) answered(null);
    },
  });
  return {
    send,
    /** Returns the first refused message with its refusal, or null. */
    refused: (): string | null => refused,
    /** Calls `sendOne` `count` times with at most `inFlight` unanswered; resolves when all are acknowledged. */
    async sendAll(count: number, inFlight: number, sendOne: (n: number) => void): Promise<void> {
      const done = Promise.withResolvers<void>();
      let sent = 0;
      let answers = 0;
      answered = (refusal) => {
        remember(refusal);
        if (refused !== null) return done.reject(new Error(refused));
        answers += 1;
        if (answers === count) done.resolve();
        else if (sent < count) sendOne(sent++);
      };
      while (sent < Math.min(count, inFlight)) sendOne(sent++);
      await done.promise;
      answered = remember;
    },
    close,
  };
}
