import { ProgramEndedError, startProgram, type Program } from "../support/start-program.ts";

/** Result of a hub's start: it serves, it refused in one plain sentence, or it ended in any other way. */
export type Start =
  | { kind: "serves"; hub: Program }
  | { kind: "refused"; sentence: string }
  | { kind: "broke"; description: string };

export async function tryStart(env: Record<string, string>, cwd: string): Promise<Start> {
  try {
    return { kind: "serves", hub: await startProgram("dist/hub/main.js", env, cwd) };
  } catch (error) {
    if (!(error instanceof ProgramEndedError)) throw error;
    return classifyEnd(error.code, error.stderr);
  }
}

/** Returns how a hub ended. A refusal is exit code 1 with one sentence on standard error. */
export function classifyEnd(code: number | null, stderr: string): Exclude<Start, { kind: "serves" }> {
  const errorOutput = stderr.trim();
  if (code === 1 && errorOutput !== "" && !errorOutput.includes("\n"))
    return { kind: "refused", sentence: errorOutput };
  const ending = code === null ? "was killed, or was not ready in time," : `ended with ${code}`;
  return { kind: "broke", description: `${ending} and said: ${errorOutput.slice(0, 400) || "nothing"}` };
}
