import path from "node:path";
import { pathToFileURL } from "node:url";

export interface RealHeadquarters {
  url: string;
  database: { query<T>(sql: string, values?: unknown[]): Promise<T[]> };
  enrolment: { createCode(id: string, by: string): Promise<{ code: string }> };
  stop(): Promise<void>;
}

/** Headquarters are no package that the hub builds on. */
export async function startRealHeadquarters(): Promise<RealHeadquarters> {
  const file = path.resolve(import.meta.dirname, "../../../headquarters/test/start-test-headquarters.ts");
  const { startTestHeadquarters } = (await import(pathToFileURL(file).href)) as {
    startTestHeadquarters(env: Record<string, string>): Promise<RealHeadquarters>;
  };
  return startTestHeadquarters({ HQ_CHAIN_NAME: "Cadena" });
}
