import { and, eq, isNotNull, or } from 'drizzle-orm'
import type { RestoredRows } from '../../../../identity/lifecycle.ts'
import { oauthApplications } from '../clients/clients.table.ts'
import { oauthAccessTokens, oauthConsents, oauthServiceTokens } from './grants.table.ts'
import { providerGrants } from './provider-grants.table.ts'

const actsAlone = or(isNotNull(oauthApplications.agent), isNotNull(oauthApplications.service))

export const restoredGrants: readonly RestoredRows[] = [
  // Agents and services: their owners let those in use continue.
  {
    table: oauthApplications,
    set: { state: 'paused' },
    where: and(eq(oauthApplications.state, 'active'), actsAlone)!,
    kind: 'keys',
  },
  { table: oauthConsents },
  { table: providerGrants },
  { table: oauthServiceTokens },
  { table: oauthAccessTokens },
]
