import { createStore } from "@comanda/ui/store.ts";

/** Whether the page can play sound now: a browser mutes it until the user touches it, and may mute it again. */
export const isSoundOn = createStore(false);

/** Tones by name: frequencies in Hz, each with its start in seconds. */
const tones = {
  newTicket: [
    [880, 0],
    [1175, 0.18],
  ],
  cancelled: [
    [660, 0],
    [440, 0.2],
    [330, 0.4],
  ],
  ready: [[1320, 0]],
} as const satisfies Record<string, readonly (readonly [number, number])[]>;
export type Tone = keyof typeof tones;

const TONE_SECONDS = 0.28;
/** The kitchen is loud; near guests the tone is quiet. */
const volumes: Record<Tone, number> = { newTicket: 0.6, cancelled: 0.6, ready: 0.15 };
/** `resume` never settles while the browser requires a touch first. */
const START_WITHIN_MS = 1_000;

let output: { context: AudioContext; analyser: AnalyserNode } | null = null;

/** Turns sound on, in response to a touch, or without one if the browser allows. Returns whether it is on. */
export async function startSound(): Promise<boolean> {
  if (output === null || output.context.state === "closed") output = openOutput();
  const { context } = output;
  const late = new Promise<void>((resolve) => setTimeout(resolve, START_WITHIN_MS));
  await Promise.race([context.resume().catch(() => {}), late]);
  isSoundOn.set(context.state === "running");
  return isSoundOn.get();
}

/** Plays a tone once. Does nothing while sound is off. */
export function play(name: Tone): void {
  if (output === null || output.context.state !== "running") return;
  const { context, analyser } = output;
  for (const [frequency, begin] of tones[name]) {
    const at = context.currentTime + begin;
    const oscillator = new OscillatorNode(context, { type: "triangle", frequency });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(volumes[name], at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, at + TONE_SECONDS);
    oscillator.connect(gain).connect(analyser);
    oscillator.start(at);
    oscillator.stop(at + TONE_SECONDS);
  }
}

/** Returns the analyser of the sound output, or null if sound was never on. */
export const soundOutput = (): AnalyserNode | null => output?.analyser ?? null;

function openOutput() {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context);
  analyser.connect(context.destination);
  context.addEventListener("statechange", () => isSoundOn.set(context.state === "running"));
  return { context, analyser };
}
