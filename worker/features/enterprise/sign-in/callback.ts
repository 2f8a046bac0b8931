import type { Scope } from '../../../identity/scope.ts'
import type { CallbackRules } from '../../social/callback/callback.ts'
import type { ConfiguredProvider } from '../../social/model/configured-provider.ts'
import { ProviderResponseError } from '../../social/model/fetch-json.ts'
import type { KnownPerson } from '../../social/model/profile.ts'
import { type Connection, draftOf } from '../model/connections.table.ts'
import { connectionById } from '../model/model.store.ts'
import { claimOf, textsOf } from './claims.ts'
import { finishSsoSignIn } from './finish-sign-in.ts'
import { oidcProviderOf } from './oidc-provider.ts'
import type { AssertedPerson } from './provision.ts'
import { judgeClaims, outcomeOfTest } from './required-claims.ts'
import { settle } from './settle.ts'

/** The rules of the callback of one connection (social/callback). */
export async function callbackRulesOf(scope: Scope, id: string): Promise<CallbackRules> {
  const [connection] = await connectionById(scope.db, id)
  let attributes: string[] = []
  return {
    required: { state: 'state_not_found' },
    findProvider: async (_scope, _id, { test }) =>
      connection?.type === 'oidc' ? reachable(scope, test ? draftOf(connection) : connection) : null,
    errors: {
      noProvider: 'sso_connection_not_found',
      noCode: 'no_code',
      invalidCode: 'sso_invalid_response',
      noPerson: 'sso_invalid_response',
      noEmail: 'sso_no_address',
    },
    sameEmailToLink: false,
    finish: async (_scope, state, { person }) => {
      attributes = Object.keys(person.extra).slice(0, 100)
      // The cookies of another deployment do not reach this one.
      if (state.proxied) return { error: 'unable_to_create_session' }
      const asserted = personOf(connection!, person)
      if (state.test) return outcomeOfTest(asserted, state.callbackURL)
      return finishSsoSignIn(scope, connection!, { ...state, newUserURL: state.newUserURL }, asserted)
    },
    settle: (_scope, state, outcome) => settle(scope, connection, state, outcome, attributes),
  }
}

async function reachable(scope: Scope, connection: Connection): Promise<ConfiguredProvider | null> {
  try {
    return await oidcProviderOf(scope, connection)
  } catch (thrown) {
    if (!(thrown instanceof ProviderResponseError)) throw thrown
    return null
  }
}

/** At most so many groups are read. */
const maxGroups = 500

/** Groups as a list of texts; null where the identity provider sends none. */
export const readGroups = (value: unknown): string[] | null => {
  if (value === undefined || value === null) return null
  const list = Array.isArray(value) ? value : [value]
  return list.filter((one) => typeof one === 'string').slice(0, maxGroups)
}

const personOf = (connection: Connection, { id, email, name, extra }: KnownPerson): AssertedPerson => ({
  subject: id,
  email,
  name,
  groups: readGroups(claimOf(extra, connection.mapping.groups ?? 'groups')),
  acceptance: judgeClaims(connection, (claim) => textsOf(claimOf(extra, claim))),
})
