import { createContext, useContext } from "react";
import { createFormat, type Format } from "./format.ts";

export const FormatContext = createContext<Format>(createFormat("es", "DOP"));

export function useFormat(): Format {
  return useContext(FormatContext);
}
