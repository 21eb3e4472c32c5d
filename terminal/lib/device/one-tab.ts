import { randomText } from "./random-text.ts";

/** How long another tab may take to say that it is there. */
const ANSWER_MS = 150;
/** How long it may take to finish and give way. */
const LEAVE_MS = 3_000;

type Message =
  | { type: "anybody?"; from: string }
  | { type: "here"; from: string }
  | { type: "give way"; from: string }
  | { type: "gone"; from: string };

/** This tab's place among those of the same browser that are the same device. */
export interface OneTab {
  /** Whether another tab is at work. */
  isTaken(): Promise<boolean>;
  /** Asks the other tab to finish; resolves when it has, or did not answer in time. */
  takeOver(): Promise<void>;
  /** From now on this tab is the one at work, until another takes over; `giveWay` finishes here. */
  hold(giveWay: () => Promise<void>): void;
  close(): void;
}

/**
 * Two tabs of one browser share a device's outbox. A page over plain http has no Web Locks, so the tabs talk to each other:
 * the second asks at its start, and takes over only when a person says so.
 */
export function openOneTab(deviceId: string): OneTab {
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
    isTaken: () => ask("anybody?", "here", ANSWER_MS),
    async takeOver() {
      await ask("give way", "gone", LEAVE_MS);
    },
    hold(finish) {
      giveWay = finish;
    },
    close() {
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
