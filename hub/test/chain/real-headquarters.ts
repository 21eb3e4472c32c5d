import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ChainStatus } from "@comanda/protocol";
import { expect } from "vitest";
import type { TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

export interface RealHeadquarters {
  url: string;
  logged: string[];
  database: { query<T>(sql: string, values?: unknown[]): Promise<T[]> };
  enrolment: { createCode(id: string, by: string): Promise<{ code: string }> };
  stop(): Promise<void>;
}

/** Starts headquarters, imported at run time: the hub must not depend on that package. */
export async function startRealHeadquarters(): Promise<RealHeadquarters> {
  const file = path.resolve(import.meta.dirname, "../../../headquarters/test/start-test-headquarters.ts");
  const { startTestHeadquarters } = (await import(pathToFileURL(file).href)) as {
    startTestHeadquarters(env: Record<string, string>): Promise<RealHeadquarters>;
  };
  return startTestHeadquarters({ HQ_CHAIN_NAME: "Cadena" });
}

export interface KilledHeadquarters {
  url: string;
  logged: string[];
  query<Row extends object>(sql: string): Promise<Row[]>;
  faults: Record<string, (meanwhile: () => Promise<void>) => Promise<void>>;
  stop(): Promise<void>;
}

/** Starts headquarters as programs that can be killed. Returns null if this machine lacks a required program. */
export async function startKilledHeadquarters(): Promise<KilledHeadquarters | null> {
  const file = path.resolve(import.meta.dirname, "../../../headquarters/test/killed-headquarters.ts");
  const { missingParts, startKilledHeadquarters: startKilled } = (await import(pathToFileURL(file).href)) as {
    missingParts: string | null;
    startKilledHeadquarters(): Promise<KilledHeadquarters>;
  };
  return missingParts === null ? startKilled() : null;
}

export async function callChain(hub: TestHub, method: string, body?: unknown): Promise<ChainStatus> {
  const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
  const answer = await hub.send(method, "/operator/v1/chain", { headers, ...(body !== undefined && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as ChainStatus;
}

/** Enrols a hub as the restaurant `id`, creating the restaurant if needed. */
export async function enrolAt({ url, database, enrolment }: RealHeadquarters, hub: TestHub, id: string): Promise<void> {
  await database.query("INSERT INTO restaurants (id, name, created_at) VALUES ($1, $1, now()) ON CONFLICT DO NOTHING", [
    id,
  ]);
  const { code } = await enrolment.createCode(id, "Eva");
  await callChain(hub, "POST", { address: url, code });
}

export const current = (hub: TestHub): Promise<unknown> =>
  until("headquarters have everything", async () => (await callChain(hub, "GET")).isCurrent, 60_000);
