import { z } from "zod";

export const FaultAction = z.enum(["none", "status", "drop-before", "drop-after", "hang-before", "hang-after"]);
export type FaultAction = z.infer<typeof FaultAction>;

/** A fault on requests, by path and method. */
export const RequestFault = z
  .strictObject({
    method: z.string().min(1).optional(),
    path: z.string().min(1),
    times: z.int().positive().optional(),
    latencyMs: z.number().nonnegative().max(3_600_000).optional(),
    action: FaultAction.optional(),
    status: z.int().min(200).max(599).optional(),
    body: z.json().optional(),
  })
  .refine((fault) => fault.action !== "status" || fault.status !== undefined, {
    path: ["status"],
    message: "the action status needs a status",
  });
export type RequestFault = z.infer<typeof RequestFault>;

/** A permanent refusal to finalize these references. */
const RefuseFault = z.strictObject({
  refuse: z.strictObject({
    posReferences: z.array(z.string().min(1)),
    error: z.string(),
    errorCode: z.string().min(1),
  }),
});

export const Fault = z.union([RequestFault, RefuseFault]);
export type Fault = z.infer<typeof Fault>;
