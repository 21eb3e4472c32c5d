import { orderOfVector, orderVectors } from "@comanda/rules/test/pricing-vectors.ts";
import { BatchSyncAnswer } from "@comanda/protocol";
import { expect, it } from "vitest";
import { event, forwarded } from "./builders.ts";
import { startTestBackOffice } from "./start-test-back-office.ts";

it("every pricing vector is finalized with its total, and what is not voided is credited [PRICE-16]", async () => {
  const office = await startTestBackOffice();
  const post = await office.signIn("manager");
  const vectors = orderVectors.map((vector, index) => {
    const { total } = orderOfVector(vector).totals;
    return { vector, posReference: `VECTOR/${index}`, total };
  });
  const events = vectors.map(({ vector, posReference, total }) => {
    return event(
      posReference,
      posReference,
      forwarded(posReference, { ...orderOfVector(vector), payments: [{ methodId: 1, amount: total }] }),
    );
  });
  const answer = await post("/hub/batch-sync", { hubId: "h", events });
  const { results } = BatchSyncAnswer.parse(answer.body);
  expect(results.filter(({ status }) => status !== "finalized")).toEqual([]);

  const { orders } = await office.stub("GET", "/orders");
  expect(
    orders.map(({ posReference, total }: { posReference: string; total: number }) => ({ posReference, total })),
  ).toEqual(vectors.map(({ posReference, total }) => ({ posReference, total })));
  for (const { vector, posReference } of vectors.filter(({ vector: { topic } }) => topic === "voided lines")) {
    await post("/orders/reserve-ncf", { pos_reference: posReference, type: "B02" });
    const note = await post("/orders/credit-note", { pos_reference: posReference });
    expect({ name: vector.name, total: note.body.total }).toEqual({
      name: vector.name,
      total: vector.expected.amounts[2],
    });
  }
});
