import { terminalLimits, type HubMessage, type TerminalMessageInput } from "@comanda/protocol";
import { RequestTimedOutError, TerminalRefusal } from "../refusal.ts";
import type { TerminalWorld } from "../world.ts";

type Answer = Extract<HubMessage, { requestId?: string | undefined }>;

/** Delay before a request is retried that was refused as one too many, in ms. */
const RETRY_MS = 1_000;

export type Requests = ReturnType<typeof createRequests>;

/** Throws TerminalRefusal for an ERROR. */
export function throwIfError<T extends HubMessage>(answer: T): Exclude<T, { type: "ERROR" }> {
  if (answer.type === "ERROR") throw new TerminalRefusal(answer.errorCode, answer.error);
  return answer as Exclude<T, { type: "ERROR" }>;
}

/** Sends requests to the hub and matches answers by requestId. */
export function createRequests(world: TerminalWorld, send: (message: TerminalMessageInput) => boolean) {
  interface Open {
    message: TerminalMessageInput;
    onAnswer: ((answer: Answer) => void) | undefined;
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
    cancel: () => void;
  }
  const open = new Map<string, Open>();

  return {
    /**
     * Sends a request, again after a reconnect. Rejects with RequestTimedOutError (`timeoutText`) after 10 s. `onAnswer` is called
     * before the next message of the hub is read, which may arrive together with the answer.
     */
    send(message: TerminalMessageInput, timeoutText: string, onAnswer?: (answer: Answer) => void): Promise<Answer> {
      const requestId = world.uuid();
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const cancel = world.timers.after(terminalLimits.leaseRequestTimeoutMs, () => {
        open.delete(requestId);
        reject(new RequestTimedOutError(timeoutText));
      });
      const request = { ...message, requestId };
      open.set(requestId, { message: request, onAnswer, resolve, reject, cancel });
      send(request);
      return promise;
    },
    /** Returns true if the message answers a request sent from here. */
    answer(message: HubMessage): boolean {
      if (!("requestId" in message) || message.requestId === undefined) return false;
      const request = open.get(message.requestId);
      if (request === undefined) return false;
      if (message.type === "ERROR" && message.errorCode === "RATE_LIMITED") {
        const { requestId } = message;
        world.timers.after(RETRY_MS, () => {
          if (open.has(requestId)) send(request.message);
        });
        return true;
      }
      open.delete(message.requestId);
      request.cancel();
      request.onAnswer?.(message);
      request.resolve(message);
      return true;
    },
    /** Repeats open requests on a new session. */
    resume(): void {
      for (const { message } of open.values()) send(message);
    },
    stop(): void {
      for (const { cancel, reject } of open.values()) {
        cancel();
        reject(new RequestTimedOutError("the terminal was stopped"));
      }
      open.clear();
    },
  };
}
