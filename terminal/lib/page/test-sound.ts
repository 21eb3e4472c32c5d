import { play, soundOutput, startSound } from "./sound.ts";

/** Plays the tone of a new ticket. Returns whether a signal went out, not whether the speaker played it. */
export async function testSound(): Promise<boolean> {
  if (!(await startSound())) return false;
  const analyser = soundOutput();
  if (analyser === null) return false;
  play("newTicket");
  const samples = new Float32Array(analyser.fftSize);
  for (let checks = 0; checks < 20; checks++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    analyser.getFloatTimeDomainData(samples);
    if (samples.some((sample) => Math.abs(sample) > 0.01)) return true;
  }
  return false;
}
