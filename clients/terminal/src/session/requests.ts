import { terminalLimits, type HubMessage, type TerminalMessageInput } from "@comanda/protocol";
import { RequestTimedOutError, TerminalRefusal } from "../refusal.ts";
import type { TerminalWorld } from "../world.ts";

type Answer = Extract<HubMessage, { requestId?: string | undefined }>;

/** How long a request waits that was refused as one too many. */
const RETRY_MS = 1_000;

export type Requests = ReturnType<typeof createRequests>;

/** Throws an ERROR as TerminalRefusal. */
export function throwIfError<T extends HubMessage>(answer: T): Exclude<T, { type: "ERROR" }> {
  if (answer.type === "ERROR") throw new TerminalRefusal(answer.errorCode, answer.error);
  return answer as Exclude<T, { type: "ERROR" }>;
}

/** Requests to the hub that wait for the answer with their requestId. */
export function createRequests(world: TerminalWorld, send: (message: TerminalMessageInput) => boolean) {
  interface Open {
    message: TerminalMessageInput;
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
    cancel: () => void;
  }
  const open = new Map<string, Open>();

  return {
    /** Rejects with RequestTimedOutError (`timeoutText`) after 10 s; repeats it on a new connection until then. */
    send(message: TerminalMessageInput, timeoutText: string): Promise<Answer> {
      const requestId = world.uuid();
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const cancel = world.timers.after(terminalLimits.leaseRequestTimeoutMs, () => {
        open.delete(requestId);
        reject(new RequestTimedOutError(timeoutText));
      });
      const request = { ...message, requestId };
      open.set(requestId, { message: request, resolve, reject, cancel });
      send(request);
      return promise;
    },
    /** True when the message answers a request from here. */
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
      request.resolve(message);
      return true;
    },
    /** There is a session again: open requests are repeated. */
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
