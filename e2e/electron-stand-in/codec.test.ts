import fc from "fast-check";
import { expect, it } from "vitest";
import { createCodec } from "./codec.ts";

const codec = createCodec();

it("the codec returns every cloneable value unchanged", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.bigInt(),
    fc.date({ noInvalidDate: true }),
    fc.uint8Array(),
    fc.constantFrom(null, undefined),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("value")),
      fc.dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        tie("value"),
        { noNullPrototype: true },
      ),
      fc.array(tie("value")).map((items) => new Set(items)),
      fc.array(fc.tuple(fc.string(), tie("value"))).map((entries) => new Map(entries)),
    ),
  }));
  const zero = (text: string) => text.replaceAll("-0", "0");
  fc.assert(
    fc.property(value, (sent) => {
      expect(zero(codec.encode(codec.decode(codec.encode(sent))))).toBe(zero(codec.encode(sent)));
    }),
  );
});

it("the codec carries errors with their messages and refuses values that cannot be cloned", () => {
  const error = codec.decode(codec.encode(new TypeError("no")));
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "TypeError", message: "no" });
  expect(() => codec.encode({ work: () => undefined })).toThrow("could not be cloned");
  expect(() => codec.encode(Promise.resolve())).toThrow("could not be cloned");
});
