import { CustomerSearchAnswer } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { startTestBackOffice } from "./start-test-back-office.ts";

const ana = { id: 52, name: "Ana Lucía Méndez", rnc: "00114272360", phone: "829-555-0152", creditAllowed: true };
const pedro = { id: 54, name: "Pedro Guzmán", rnc: null, phone: "849-555-0154", creditAllowed: false };

describe("customers/search", () => {
  it("customers are found by name, phone and RNC, whatever the case, accents and dashes [BO-127]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    const found = async (query: string, limit?: number) =>
      CustomerSearchAnswer.parse((await post("/customers/search", { query, limit })).body).customers;
    for (const query of [
      "lucia",
      "MÉNDEZ",
      "mendez ana",
      " ana  Lucía ",
      "829-555-0152",
      "8295550152",
      "(829) 555",
      "00114272360",
      "001-1427236-0",
    ]) {
      expect({ query, customers: await found(query) }).toEqual({ query, customers: [ana] });
    }
    expect(await found("GUZMAN")).toEqual([pedro]);
    expect((await found("555")).map(({ id }) => id)).toEqual([51, 52, 53, 54]);
    expect((await found("555", 2)).map(({ id }) => id)).toEqual([51, 52]);
    for (const query of ["", " ", "%"]) expect(await found(query)).toHaveLength(5);
    for (const query of ["ana pedro", "ana%", "nobody", "5550152x"]) {
      expect({ query, customers: await found(query) }).toEqual({
        query,
        customers: [],
      });
    }
  });

  it("a search with an invalid query or limit is refused [BO-127]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    for (const body of [
      {},
      { query: 7 },
      { query: "a", limit: 0 },
      { query: "a", limit: 101 },
      { query: "a", limit: "1" },
    ]) {
      expect(await post("/customers/search", body)).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
  });
});
