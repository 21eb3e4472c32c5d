import type { ChainService } from "../../../chain/chain-service.ts";
import type { OperatorHandlers } from "../../handlers.ts";

/** Routes for the hub's place in a chain. */
export function operatorChainRoutes(
  chain: Pick<ChainService, "status" | "enrol" | "leave" | "proposals" | "answerProposal">,
) {
  return {
    chain: chain.status,
    enrolInChain: ({ body, manager }) => chain.enrol(body, manager.userName),
    chainProposals: chain.proposals,
    decideProposal: ({ body, manager }) => chain.answerProposal(body, manager.userName),
    leaveChain: ({ manager }) => chain.leave(manager.userName),
  } satisfies Partial<OperatorHandlers>;
}
