import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DAY_MS } from "@comanda/protocol";
import { HqNow, HqProposal, HqSales } from "@comanda/protocol/headquarters.ts";
import type { ProposalTerms } from "@comanda/protocol/proposals.ts";
import { startProgram } from "../../support/start-program.ts";
import { openCuttableLine } from "./cuttable-line.ts";

const OWNER = { login: "duena", name: "La dueña", password: "una clave de la demo" };

/** The first start creates the embedded database, which takes seconds, or many on a busy machine. */
const READY_WITHIN_MS = 120_000;

type Terms<Kind extends ProposalTerms["kind"]> = Omit<Extract<ProposalTerms, { kind: Kind }>, "at" | "until">;
type ProposedChange = Terms<"stock"> | Terms<"settings">;

export type Headquarters = Awaited<ReturnType<typeof openHeadquarters>>;

/** Starts headquarters as a program in a temporary folder, with the owner signed in. */
export async function openHeadquarters() {
  const folder = await mkdtemp(join(tmpdir(), "comanda-chain-"));
  // The server chooses its port at its first start, which comes before a restaurant learns the address of the line.
  const line = await openCuttableLine(() => Number(readFileSync(join(folder, "nats", "port"), "utf8")));
  const program = await startProgram(
    "headquarters/main.ts",
    { HQ_DATA_DIR: folder, HQ_PORT: "0", HQ_CHAIN_NAME: "Comanda demo", HQ_NATS_PUBLIC_URL: line.url },
    folder,
    READY_WITHIN_MS,
  );
  let cookie = "";

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(new URL(`/hq/v1/${path}`, program.url), {
      method,
      headers: { cookie, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? null : (JSON.parse(text) as unknown);
  }

  await call("POST", "setup", { ...OWNER, code: await codeOf(program.output) });

  return {
    url: program.url,
    owner: OWNER,
    line,
    /** Adds a restaurant; returns its id and the code with which its hub enrols. */
    async addRestaurant(name: string): Promise<{ id: string; code: string }> {
      const { id } = (await call("POST", "restaurants", { name })) as { id: string };
      const created = (await call("POST", `restaurants/${id}/enrolment-code`)) as { code: string };
      return { id, code: created.code };
    },
    now: async (): Promise<HqNow> => HqNow.parse(await call("GET", "now")),
    async sales(restaurant: string, { from, to }: { from: string; to: string }): Promise<HqSales> {
      return HqSales.parse(await call("GET", `sales?from=${from}&to=${to}&restaurant=${restaurant}`));
    },
    /** Proposes a change that is valid from now on for a day; returns the proposal's id. */
    async propose(change: ProposedChange, restaurants: readonly string[]): Promise<string> {
      const [at, until] = [0, DAY_MS].map((ahead) => new Date(Date.now() + ahead).toISOString());
      const proposal = { ...change, at, until };
      const { id } = (await call("POST", "proposals", { proposal, restaurants })) as { id: string };
      return id;
    },
    async undo(proposalId: string): Promise<string> {
      const { id } = (await call("POST", `proposals/${proposalId}/undo`)) as { id: string };
      return id;
    },
    proposal: async (id: string): Promise<HqProposal> => HqProposal.parse(await call("GET", `proposals/${id}`)),
    async close(): Promise<void> {
      await program.stop();
      await line.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the setup code in the log, which is another stream than the line with the address and may come later. */
async function codeOf(output: () => string): Promise<string> {
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await pause(20)) {
    const [, code] = /"setupCode":"([A-Z2-9-]+)"/.exec(output()) ?? [];
    if (code !== undefined) return code;
  }
  throw new Error(`headquarters showed no code: ${output()}`);
}
