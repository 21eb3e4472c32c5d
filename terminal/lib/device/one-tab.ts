import { randomText } from "./random-text.ts";

/** How long another tab may take to answer, in ms. */
const ANSWER_MS = 150;
/** How long another tab may take to finish and give way, in ms. */
const LEAVE_MS = 3_000;

interface Message {
  type: "anybody?" | "here" | "give way" | "gone";
  from: string;
}

/**
 * Lets one tab at a time use a device's outbox, which all tabs share. A page over plain http has no Web Locks, so the tabs send
 * messages: a new tab asks at its start, and takes over only if the user says so.
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
    /** Whether another tab is active. */
    isTaken: () => ask("anybody?", "here", ANSWER_MS),
    /** Asks the other tab to finish. Resolves when it has, or has not answered in time. */
    takeOver: () => ask("give way", "gone", LEAVE_MS),
    /** Makes this tab the active one, until another takes over; `finish` then ends its work. */
    hold(finish: () => Promise<void>): void {
      giveWay = finish;
    },
    close(): void {
      giveWay = null;
      channel.close();
    },
  };

  /** Sends `question`. Resolves with whether `answer` came within `ms`. */
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
