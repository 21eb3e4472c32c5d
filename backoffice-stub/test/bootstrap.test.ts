import { BootstrapAnswer } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { startTestBackOffice } from "./start-test-back-office.ts";

describe("bootstrap", () => {
  it("bootstrap returns the seeded restaurant [BO-14]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    const answer = await post("/bootstrap", { clientVersion: "0.1.0" });
    expect(answer.status).toBe(200);
    const { config, session, minClientVersion } = BootstrapAnswer.parse(answer.body);
    expect(config).toMatchObject({ name: "demo", currency: "DOP", hubMode: true });
    expect(config.floors.map((floor) => [floor.layoutMode, floor.tables.length])).toEqual([
      ["grid", 10],
      ["perimeter_center", 8],
    ]);
    expect(config.floors.flatMap((floor) => floor.tables).find((table) => table.id === 31)).toMatchObject({
      name: "Mesa 4",
      state: "available",
    });
    expect(config.products).toHaveLength(40);
    expect(config.taxes.map((tax) => [tax.rate, tax.orderTypes.includes("takeout")])).toEqual([
      [18, true],
      [10, false],
      [0, true],
    ]);
    expect(config.paymentMethods.map((method) => method.type)).toEqual(["cash", "bank", "pay_later"]);
    expect(session).toMatchObject({ state: "opened" });
    expect(minClientVersion).toBeNull();
    for (const product of config.products) {
      expect(config.categories.map((category) => category.id)).toContain(product.categoryId);
      for (const taxId of product.taxIds) expect(config.taxes.map((tax) => tax.id)).toContain(taxId);
    }
  });

  it("bootstrap refuses a client below min_client_version, and accepts others and one without a version [BO-15]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    expect(await office.stub("POST", "/min-client-version", { version: "1.2.0" })).toEqual({ version: "1.2.0" });
    expect(await post("/bootstrap", { clientVersion: "1.1.9" })).toMatchObject({
      status: 426,
      body: { error: expect.any(String), errorCode: "CLIENT_TOO_OLD", minClientVersion: "1.2.0" },
    });
    expect((await post("/bootstrap", { clientVersion: "1.2.0" })).status).toBe(200);
    expect((await post("/bootstrap", { clientVersion: "1.10.0" })).status).toBe(200);
    expect((await post("/bootstrap")).body.minClientVersion).toBe("1.2.0");
    await office.restart();
    expect((await post("/bootstrap", { clientVersion: "1.1.9" })).status).toBe(426);
    await office.stub("POST", "/min-client-version", { version: null });
    expect((await post("/bootstrap", { clientVersion: "1.1.9" })).status).toBe(200);
  });

  it("bootstrap refuses an invalid client version [BO-16]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    for (const clientVersion of ["latest", "1.2", 3]) {
      expect(await post("/bootstrap", { clientVersion })).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
  });

  it("bootstrap has no session while it is closed, and a new one after it is opened again [BO-17]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    const first = (await post("/bootstrap")).body.session;
    expect(await office.stub("POST", "/session", { open: true })).toEqual({
      open: true,
      id: first.id,
      name: first.name,
    });
    expect(await office.stub("POST", "/session", { open: false })).toEqual({ open: false, id: null, name: null });
    expect((await post("/bootstrap")).body.session).toBeNull();
    await office.restart();
    expect((await post("/bootstrap")).body.session).toBeNull();
    const second = await office.stub("POST", "/session", { open: true });
    expect(second).toMatchObject({ open: true });
    expect(second.id).not.toBe(first.id);
    expect((await post("/bootstrap")).body.session).toEqual({ id: second.id, name: second.name, state: "opened" });
  });
});

describe("configuration", () => {
  it("bootstrap has the fiscal number sequences, in the configuration and beside it [BO-125]", async () => {
    const office = await startTestBackOffice({ now: () => Date.UTC(2026, 10, 22) });
    const post = await office.signIn("waiter");
    await post("/orders/reserve-ncf", { pos_reference: "POS/1", type: "B02" });
    await office.stub("POST", "/ncf-expiry", { type: "B04", expiresOn: "2026-12-01" });
    const { config, ncfSequences } = BootstrapAnswer.parse((await post("/bootstrap")).body);
    const expiresOn = "2027-12-31";
    expect(config.ncfSequences).toEqual([
      { type: "B01", prefix: "B01", left: 5000, expiresOn },
      { type: "B02", prefix: "B02", left: 4999, expiresOn },
      { type: "B04", prefix: "B04", left: 5000, expiresOn: "2026-12-01" },
      { type: "E31", prefix: "E31", left: 5000, expiresOn },
      { type: "E32", prefix: "E32", left: 5000, expiresOn },
      { type: "E34", prefix: "E34", left: 5000, expiresOn },
    ]);
    expect(ncfSequences).toEqual(config.ncfSequences);
    await office.stub("POST", "/ncf", { type: "E32", remaining: 0 });
    const after = (await post("/bootstrap")).body.config.ncfSequences;
    expect(after.find((sequence: { type: string }) => sequence.type === "E32").left).toBe(0);
  });

  it("bootstrap rounds per line unless rounding per order was set [BO-126]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    expect((await post("/bootstrap")).body.config.rounding).toBe("line");
    expect(await office.stub("POST", "/rounding", { rounding: "order" })).toEqual({ rounding: "order" });
    await office.restart();
    expect((await post("/bootstrap")).body.config.rounding).toBe("order");
    expect(await office.call("POST", "/stub/v1/rounding", { rounding: "never" })).toMatchObject({ status: 400 });
  });

  it("bootstrap has the company and the currencies' rates, unless the stand-in lacks them [BO-130, BO-136]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    const read = async () => BootstrapAnswer.parse((await post("/bootstrap")).body).config;
    expect(await read()).toMatchObject({
      company: { name: expect.any(String), legalName: expect.any(String), rnc: expect.stringMatching(/^\d{9}$/) },
      currencies: [{ code: "USD" }, { code: "EUR" }],
    });
    const currencies = [{ code: "USD", rate: 61.25, rounding: 5 }];
    expect(await office.stub("POST", "/currencies", { currencies })).toEqual({ currencies });
    await office.restart();
    expect((await read()).currencies).toEqual(currencies);
    await office.stub("POST", "/quirks", { lacks: ["company", "currencies"] });
    const config = await read();
    expect([config.company, config.currencies]).toEqual([undefined, undefined]);
    const nothing = { currencies: [{ code: "USD", rate: 0 }] };
    expect(await office.call("POST", "/stub/v1/currencies", nothing)).toMatchObject({ status: 400 });
  });

  it("bootstrap has the price that was set for a product [BO-133]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    expect(await office.stub("POST", "/product-price", { productId: 108, price: 499.95 })).toEqual({
      productId: 108,
      price: 499.95,
    });
    const { config } = BootstrapAnswer.parse((await post("/bootstrap")).body);
    expect(config.products.find(({ id }) => id === 108)?.price).toBe(499.95);
    const unusable = [
      { productId: 1, price: 1 },
      ...[-1, 1e308, undefined].map((price) => ({ productId: 108, price })),
    ];
    for (const body of unusable) {
      expect(await office.call("POST", "/stub/v1/product-price", body)).toMatchObject({ status: 400 });
    }
  });

  it("bootstrap has products with modifiers, with and without a price [BO-131]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    const { config } = BootstrapAnswer.parse((await post("/bootstrap")).body);
    const modifiers = config.products.flatMap((product) => product.modifiers ?? []);
    expect(modifiers.filter(({ price }) => price > 0).length).toBeGreaterThanOrEqual(3);
    expect(modifiers.filter(({ price }) => price === 0).length).toBeGreaterThanOrEqual(2);
    expect(new Set(modifiers.map(({ id }) => id)).size).toBe(modifiers.length);
  });
});

describe("invalid requests", () => {
  it("an unknown path or method is answered with 404 in JSON [BO-10]", async () => {
    const office = await startTestBackOffice();
    for (const [method, path] of [
      ["GET", "/pos-api/v1/bootstrap"],
      ["POST", "/pos-api/v1/nothing"],
      ["POST", "/pos-api/v1/bootstrap/"],
      ["GET", "/"],
      ["GET", "/stub/v1/nothing"],
    ] as const) {
      expect(await office.call(method, path)).toMatchObject({
        status: 404,
        body: { error: expect.any(String), errorCode: "NOT_FOUND" },
      });
    }
  });

  it("a body that is no JSON object, or is nested too deep, is answered with 400 [BO-11]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("manager");
    for (const body of ["{oops", "[]", "3", `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`]) {
      expect(await post("/orders/create", body)).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
  });

  it("a body above 16 MiB is answered with 413 [BO-12]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("manager");
    const body = JSON.stringify({ notes: "x".repeat(16 * 1024 * 1024) });
    expect(await post("/orders/create", body)).toMatchObject({ status: 413, body: { errorCode: "PAYLOAD_TOO_LARGE" } });
  });
});
