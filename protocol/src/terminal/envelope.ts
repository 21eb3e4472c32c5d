import { z } from "zod";
import { errorCodes } from "../errors.ts";
import { plainText } from "../fields.ts";

export const requestId = plainText(64).optional();
export const errorCode = z.enum(errorCodes);
export const seq = z.int().nonnegative();
