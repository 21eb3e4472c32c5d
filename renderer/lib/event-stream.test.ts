import fc from "fast-check";
import { expect, it } from "vitest";
import { createEventParser } from "./event-stream.ts";

function parseAll(chunks: readonly string[]): string[] {
  const data: string[] = [];
  const parse = createEventParser((event) => data.push(event));
  for (const chunk of chunks) parse(chunk);
  return data;
}

it("the stream returns the data of each complete event [UI-3]", () => {
  expect(
    parseAll(['event: ping\ndata: {"a":1}\n\n: a remark\n\ndata:two\r\ndata: lines\r\n\r\ndata: unfinished\n']),
  ).toEqual(['{"a":1}', "two\nlines"]);
});

it("the stream accepts text that is cut at any place [UI-3]", () => {
  const text = 'event: order\ndata: {"n":1}\n\ndata: {"n":2}\n\nevent: ping\ndata: {}\n\n';
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const chunks = edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
      expect(parseAll(chunks)).toEqual(['{"n":1}', '{"n":2}', "{}"]);
    }),
  );
});
