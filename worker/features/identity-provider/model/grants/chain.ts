/** A link of a chain of agents: the agent, and the id of the token that it exchanged; null after an approval of the user. */
export interface ChainLink {
  agent: string
  token: string | null
}

/** Agents in a chain at most. */
export const maxChain = 5

/** `act` (RFC 8693, section 4.1): the current actor, with the earlier ones inside. */
export interface Actor {
  sub: string
  act?: Actor
}

/** @param chain the current actor first; null for a token without agents */
export const actorOf = (chain: readonly ChainLink[] | null): Actor | undefined =>
  (chain ?? []).reduceRight<Actor | undefined>(
    (act, { agent }) => (act ? { sub: agent, act } : { sub: agent }),
    undefined,
  )
