import { expect, it } from "vitest";
import { dishName } from "./dish-name.ts";

it.each([
  [{ productId: "12", name: "Mofongo" }, "Mofongo"],
  [{ productId: "12", name: "" }, "12"],
  [{ productId: "", name: "" }, "Sin plato"],
  // An amount without a dish may still have a name.
  [{ productId: "", name: "Propina" }, "Sin plato"],
])("the dish of %o is named %s [HQ-222]", (product, name) => expect(dishName(product, "Sin plato")).toBe(name));
