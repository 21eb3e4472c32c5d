import { randomText } from "./random-text.ts";

/** How long another tab may take to say that it is there. */
const ANSWER_MS = 150;
/** How long it may take to finish and give way. */
const LEAVE_MS = 3_000;

interface Message {
  type: "anybody?" | "here" | "give way" | "gone";
  from: string;
}

/**
 * Two tabs of one browser share a device's outbox. A page over plain http has no Web Locks, so the tabs talk to each other:
 * the second asks at its start, and takes over only when a person says so.
 */
export function openOneTab(deviceId: string) {
  const me = randomText(12);
  const channel = new BroadcastChannel(`comanda terminal ${deviceId}`);
  let giveWay: (() => Promise<void>) | null = null;
  const listeners = new Set<(message: Message) => void>();
  const say = (type: Message["type"]) => channel.postMessage({ type, from: me } satisfies Message);
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    for (const listener of listeners) listener(data);
    if (giveWay === null) return;
    if (data.type === "anybody?") say("here");
    if (data.type !== "give way") return;
    const finish = giveWay;
    giveWay = null;
    void finish().finally(() => say("gone"));
  });

  return {
    /** Whether another tab is at work. */
    isTaken: () => ask("anybody?", "here", ANSWER_MS),
    /** Asks the other tab to finish; resolves when it has, or did not answer in time. */
    takeOver: () => ask("give way", "gone", LEAVE_MS),
    /** From now on this tab is the one at work, until another takes over; `finish` ends here. */
    hold(finish: () => Promise<void>): void {
      giveWay = finish;
    },
    close(): void {
      giveWay = null;
      channel.close();
    },
  };

  /** Whether `answer` came within `ms`. */
  function ask(question: Message["type"], answer: Message["type"], ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const listen = ({ type }: Message) => {
      if (type === answer) resolve(true);
    };
    listeners.add(listen);
    say(question);
    const timer = setTimeout(() => resolve(false), ms);
    return promise.finally(() => {
      clearTimeout(timer);
      listeners.delete(listen);
    });
  }
}
