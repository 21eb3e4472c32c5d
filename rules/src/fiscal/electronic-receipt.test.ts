import type { Snapshot } from "@comanda/protocol";
import { expect, it } from "vitest";
import {
  contingencyTypeOf,
  isElectronic,
  isNoteInContingency,
  lookupCode,
  receiptStanding,
  withReceipt,
} from "./electronic-receipt.ts";

const ncf = "E320000000007";
const signed = { ncf, securityCode: "aB3dE9", status: "accepted" } as const;
const assigned = { status: "assigned", type: "E32", lookup: "BCDF2345" } as const;

it("electronic types are recognized, with the paper type that replaces each in contingency [ECF-1]", () => {
  expect(["E31", ncf, "B02", undefined].map(isElectronic)).toEqual([true, true, false, false]);
  expect(["E31", "E32", "E34", "E33", "B02", undefined].map(contingencyTypeOf)).toEqual([
    "B01",
    "B02",
    "B04",
    undefined,
    undefined,
    undefined,
  ]);
});

it("a paper credit note for an electronic receipt is recognized as contingency [ECF-12]", () => {
  expect(isNoteInContingency("B0400000001", ncf)).toBe(true);
  for (const [note, check] of [
    ["E340000000001", ncf],
    ["B0400000001", "B0200000001"],
    ["B0400000001", undefined],
    [null, ncf],
  ] as const)
    expect(isNoteInContingency(note, check)).toBe(false);
});

it("lookup codes have eight characters without vowels [ECF-2]", () => {
  const codes = Array.from({ length: 256 }, (_, byte) => lookupCode(Array.from({ length: 12 }, () => byte)));
  for (const code of codes) expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ2-9]{8}$/);
  expect(new Set(codes).size).toBe(28);
});

it.each<[string, Pick<Snapshot, "status" | "ncf" | "fiscal">, ReturnType<typeof receiptStanding>]>([
  ["an electronic number without a code", { status: "closed", ncf, fiscal: assigned }, "signing"],
  ["one that the back-office has not got yet", { status: "paid", ncf, fiscal: assigned }, null],
  [
    "a signed one that the tax office has not taken yet",
    { status: "closed", ncf, fiscal: { ...assigned, ecf: { ...signed, status: "signed" } } },
    "sent",
  ],
  ["an accepted one", { status: "closed", ncf, fiscal: { ...assigned, ecf: signed } }, null],
  [
    "a rejected one",
    { status: "closed", ncf, fiscal: { ...assigned, ecf: { ...signed, status: "rejected" } } },
    "rejected",
  ],
  ["one on paper", { status: "closed", ncf: "B0200000001", fiscal: { ...assigned, type: "B02" } }, null],
  [
    "one on paper for an electronic one",
    { status: "closed", ncf: "B0200000001", fiscal: { ...assigned, type: "B02", contingency: true } },
    "contingency",
  ],
  ["no number", { status: "closed" }, null],
])("the follow-up is known for %s [ECF-3]", (_, order, standing) => {
  expect(receiptStanding(order)).toBe(standing);
});

it("the receipt is stored with the order, which takes its number if it had none [ECF-4]", () => {
  expect(withReceipt({ ncf, fiscal: assigned }, signed, null)).toEqual({ ncf, fiscal: { ...assigned, ecf: signed } });
  expect(withReceipt({}, signed, null)).toEqual({ ncf, fiscal: { status: "assigned", type: "E32", ecf: signed } });
});

it("a receipt keeps its security code when a later answer has none [ECF-81]", () => {
  const fiscal = { ...assigned, ecf: { ...signed, signedAt: "2026-11-22T20:00:00Z", status: "signed" as const } };
  const rejected = { ncf, status: "rejected" as const, error: "RNC" };
  expect(withReceipt({ ncf, fiscal }, rejected, null).fiscal.ecf).toEqual({ ...fiscal.ecf, ...rejected });
  expect(withReceipt({ ncf, fiscal }, { ncf, status: "pending" }, null).fiscal.ecf).toEqual(fiscal.ecf);
  expect(withReceipt({ ncf, fiscal }, signed, null).fiscal.ecf).toEqual(signed);
});

it("an order keeps its first number and stores nothing printable of another number [ECF-5]", () => {
  const other = { ...signed, ncf: "E320000000008", qrUrl: "https://fc.dgii.gov.do/" };
  const after = withReceipt({ ncf, fiscal: assigned }, other, "another number");
  expect(after).toEqual({
    ncf,
    fiscal: {
      ...assigned,
      ecf: { ncf: other.ncf, status: "accepted" },
      error: "another number",
      errorCode: "NCF_CONFLICT",
    },
  });
  expect(receiptStanding({ status: "closed", ...after })).toBe("conflict");
  expect(withReceipt(after, signed, null)).toEqual({ ncf, fiscal: { ...assigned, ecf: signed } });
});
