import { terminalLimits, type HubMessage, type TerminalMessageInput } from "@comanda/protocol";
import { RequestTimedOutError } from "../refusal.ts";
import type { TerminalWorld } from "../world.ts";

type Answer = Extract<HubMessage, { requestId?: string | undefined }>;

/** How long a question that was refused as one too many waits. */
const AGAIN_MS = 1_000;

/** Questions to the hub that wait for the answer with their requestId. */
export interface Requests {
  /** Rejects with `timeoutText` after 10 s; asks again on a new connection until then. */
  ask(message: TerminalMessageInput, timeoutText: string): Promise<Answer>;
  /** True when the message answers a question asked here. */
  answer(message: HubMessage): boolean;
  /** There is a session again: what is still open is asked once more. */
  resume(): void;
  stop(): void;
}

export function createRequests(world: TerminalWorld, send: (message: TerminalMessageInput) => boolean): Requests {
  interface Open {
    message: TerminalMessageInput;
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
    cancel: () => void;
  }
  const open = new Map<string, Open>();

  return {
    ask(message, timeoutText) {
      const requestId = world.uuid();
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const cancel = world.timers.after(terminalLimits.leaseRequestTimeoutMs, () => {
        open.delete(requestId);
        reject(new RequestTimedOutError(timeoutText));
      });
      const asked = { ...message, requestId };
      open.set(requestId, { message: asked, resolve, reject, cancel });
      send(asked);
      return promise;
    },
    answer(message) {
      if (!("requestId" in message) || message.requestId === undefined) return false;
      const asked = open.get(message.requestId);
      if (asked === undefined) return false;
      // Too many at once: it is asked again within its time.
      if (message.type === "ERROR" && message.errorCode === "RATE_LIMITED") {
        const { requestId } = message;
        world.timers.after(AGAIN_MS, () => {
          if (open.has(requestId)) send(asked.message);
        });
        return true;
      }
      open.delete(message.requestId);
      asked.cancel();
      asked.resolve(message);
      return true;
    },
    resume() {
      for (const { message } of open.values()) send(message);
    },
    stop() {
      for (const { cancel, reject } of open.values()) {
        cancel();
        reject(new RequestTimedOutError("the terminal was stopped"));
      }
      open.clear();
    },
  };
}
