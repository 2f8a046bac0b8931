/** A link of a chain of agents: the agent, and the id of the token that it exchanged; null after an approval of the user. */
export interface ChainLink {
  agent: string
  token: string | null
}

/** Agents in a chain at most. */
export const maxChain = 5

/** `act` (RFC 8693, section 4.1): the current actor, with the earlier ones inside. */
export interface ActClaim {
  sub: string
  act?: ActClaim
}

/** @param chain the current actor first; null for a token without agents */
export const actClaimOf = (chain: readonly ChainLink[] | null): ActClaim | undefined =>
  (chain ?? []).reduceRight<ActClaim | undefined>(
    (act, { agent }) => (act ? { sub: agent, act } : { sub: agent }),
    undefined,
  )
