import { setTimeout as pause } from "node:timers/promises";
import { type Bench, freshPath } from "./bench.ts";
import { postJson } from "./hub.ts";
import { type Program, startProgram } from "./program.ts";

/** The first start creates the embedded database. */
const READY_WITHIN_MS = 120_000;

/** Starts headquarters as a program with one restaurant. Returns it with the code with which the restaurant's hub enrols. */
export async function startHeadquarters(bench: Bench): Promise<{ program: Program; code: string }> {
  const program = await startProgram({
    name: "headquarters",
    script: "headquarters/main.ts",
    env: { HQ_DATA_DIR: freshPath(bench, "headquarters"), HQ_PORT: "0", HQ_CHAIN_NAME: "Bench" },
    readyWithinMs: READY_WITHIN_MS,
  });
  const owner = { login: "bench", name: "Bench", password: "una clave larga", code: await setupCodeOf(program) };
  const answer = await fetch(`${program.url}/hq/v1/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(owner),
  });
  if (!answer.ok) throw new Error(`headquarters have no owner: ${await answer.text()}`);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const restaurants = `${program.url}/hq/v1/restaurants`;
  const { id } = await postJson<{ id: string }>(restaurants, { name: "Bench" }, { cookie });
  const { code } = await postJson<{ code: string }>(`${restaurants}/${id}/enrolment-code`, {}, { cookie });
  return { program, code };
}

/** Waits for the setup code in the log (stderr), which may come later than the line with the address (stdout). */
async function setupCodeOf(program: Program): Promise<string> {
  for (const tooLate = performance.now() + READY_WITHIN_MS; performance.now() < tooLate; await pause(20)) {
    const [, code] = /"setupCode":"([A-Z2-9-]+)"/.exec(program.errors()) ?? [];
    if (code !== undefined) return code;
  }
  throw new Error(`headquarters showed no code: ${program.errors()}`);
}
