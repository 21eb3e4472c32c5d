import { expect, it } from "vitest";
import { beginWithScan, takeScan } from "./begin-with-scan.ts";

it("a scanned product is added to the check that it was to begin, and to no other [TOUCH-1088]", () => {
  const places: string[] = [];
  const scan = () => beginWithScan("7460001", (path) => places.push(path));
  scan();
  expect([takeScan("/takeaway/new"), takeScan("/takeaway/new")]).toEqual(["7460001", null]);
  // The screen of the new check was never shown.
  scan();
  expect([takeScan("/table/5"), takeScan("/takeaway/new")]).toEqual([null, null]);
  expect(places).toEqual(["/takeaway/new", "/takeaway/new"]);
});
