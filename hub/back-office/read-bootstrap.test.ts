import { describe, expect, it } from "vitest";
import { dineInOrder } from "../test/support/builders.ts";
import { startTestHub } from "../test/support/start-test-hub.ts";
import { readBootstrap } from "./read-bootstrap.ts";

const table = {
  id: 5,
  name: "Mesa 1",
  seats: 4,
  x: 0,
  y: 0,
  width: 80,
  height: 80,
  shape: "round",
  state: "available",
};
const product = { id: 9, name: "Mofongo", price: 350, categoryId: 2, taxIds: [1] };
const whole = {
  config: {
    id: 1,
    name: "demo",
    currency: "DOP",
    hubMode: true,
    hubAddress: "ws://10.0.0.2:8766",
    floors: [{ id: 3, name: "Salón", layoutMode: "grid", tables: [table] }],
    taxes: [{ id: 1, name: "ITBIS", rate: 18, included: true, orderTypes: ["dine_in"] }],
    products: [product],
    categories: [{ id: 2, name: "Fuertes" }],
    paymentMethods: [{ id: 1, name: "Efectivo", type: "cash" }],
  },
  session: { id: 7, name: "POS/7", state: "opened" },
  minClientVersion: "1.0.0",
};
const withConfig = (config: object) => ({ ...whole, config: { ...whole.config, ...config } });

describe("the bootstrap answer", () => {
  it("a complete bootstrap answer is accepted unchanged [BO-306]", () => {
    expect(readBootstrap(whole)).toEqual({ ...whole, leftOut: [] });
  });

  it("a bootstrap answer needs no more than the session and the floors with their tables [BO-306]", () => {
    const config = {
      id: 1,
      floors: [
        {
          id: 3,
          name: "Salón",
          tables: [
            { id: 5, name: 12 },
            { id: 6, seats: false },
          ],
        },
      ],
    };
    const { leftOut, session, ...answer } = readBootstrap({ config, session: { id: 7, name: false } });
    expect(leftOut).toEqual([]);
    expect(session).toEqual({ id: 7, name: "7", state: "opened" });
    expect(answer).toMatchObject({
      minClientVersion: null,
      config: { hubMode: true, products: [], paymentMethods: [] },
    });
    const [floor] = answer.config.floors;
    expect(floor).toMatchObject({ layoutMode: "free", tables: [{ name: "12", seats: 0 }, { name: "6" }] });
  });

  it("a bootstrap answer is accepted without its unreadable records [BO-306]", () => {
    const products = [{ ...product, price: "dear" }, { ...product, id: 10, categoryId: false, taxIds: null }, "?"];
    const paymentMethods = [{ id: 1, name: "Tarjeta", type: "card" }];
    const answer = readBootstrap(withConfig({ products, paymentMethods, ncfSequences: [{ type: "B02" }] }));
    expect(answer.config.products).toEqual([{ ...product, id: 10, categoryId: 0, taxIds: [] }]);
    expect(answer.config.paymentMethods).toEqual([{ id: 1, name: "Tarjeta", type: "bank" }]);
    expect(answer.config.ncfSequences).toEqual([]);
    expect(answer.leftOut).toEqual([
      expect.stringContaining("fiscal sequence B02: left"),
      expect.stringContaining("product 9: price"),
      expect.stringContaining("product ?"),
    ]);
  });

  it("a dish with an unlisted tax is accepted and reported [BO-306]", () => {
    const products = [product, { ...product, id: 10, taxIds: [1, 4, 5] }];
    const answer = readBootstrap(withConfig({ products }));
    expect(answer.config.products).toEqual(products);
    const messages = ["product 10: it is sold without its taxes 4, 5: not listed"];
    expect(answer.leftOut).toEqual(messages);
    // The result is the same if the answer needs defaults.
    expect(readBootstrap({ ...withConfig({ products }), minClientVersion: false }).leftOut).toEqual(messages);
  });

  it.each([
    ["no session", { config: whole.config }],
    ["no floors", withConfig({ floors: undefined, currency: null })],
    [
      "a tax that cannot be read",
      withConfig({ taxes: [...whole.config.taxes, { id: 2, name: "Propina", rate: "10" }] }),
    ],
    ["no taxes where products name some", withConfig({ taxes: null })],
    ["an empty list of taxes where products name some", withConfig({ taxes: [] })],
    ["no product that can be read", withConfig({ products: [{ ...product, price: "dear" }, "?"] })],
    ["no method that can be read", withConfig({ paymentMethods: [{ name: "Efectivo", type: "cash" }] })],
    ["a menu that is no list", withConfig({ products: { 9: product } })],
    ["another answer", { results: [] }],
    ["a list", []],
  ])("a bootstrap answer with %s is rejected [BO-306]", (_, value) => {
    expect(() => readBootstrap(value)).toThrow("unexpected");
  });
});

it("orders at an unreadable table are refused, and those at the other tables accepted [BO-306]", async () => {
  const hub = await startTestHub({ ownBackOffice: true });
  const [broken, good] = [
    { ...table, id: "5" },
    { ...table, id: 6, name: 6, seats: null },
  ];
  const floors = [{ id: 3, name: "Salón", tables: [broken, good] }];
  const body = withConfig({ floors, taxes: null, products: [{ ...product, taxIds: null }] });
  const fault = { path: "/pos-api/v1/bootstrap", action: "status", status: 200, body };
  await hub.backOffice.control("POST", "/faults", { faults: [fault] });
  const create = (tableId: number) => hub.external().post("/orders", dineInOrder(tableId));
  expect(await create(6)).toMatchObject({ status: 201 });
  expect(await create(5)).toMatchObject({ status: 400, body: { errorCode: "UNKNOWN_TABLE" } });
});
