import type { Scope } from '../../identity/scope.ts'
import { accountOptions, emailVerificationOptions } from '../../identity/settings.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { type Identity, proveAddress } from '../../identity/users/prove-address.ts'
import type { User } from '../../identity/users/users.table.ts'
import { changeUser, createUser } from '../../identity/users/users.ts'
import { mailVerification } from '../../identity/verifications/email-mails.ts'
import { AppError } from '../../kit/errors.ts'
import { newId } from '../../kit/random.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { reasonOf } from '../../platform/log.ts'
import { runBatch } from '../../platform/statements.ts'
import type { KnownPerson } from './profile.ts'
import type { ProviderTokens } from './provider.ts'
import { sealTokens } from './sealed-tokens.ts'
import { findKnown, giveIdentity, replaceTokens, type SealedTokens } from './social.store.ts'

/** An identity at a provider that somebody has just proven to be theirs. */
export interface ProvenIdentity {
  providerId: string
  /** With an address: without one nobody is signed in. */
  person: KnownPerson & { email: string }
  tokens: ProviderTokens
  /** The configuration takes the provider's word for an address even where it is not called verified. */
  trusted: boolean
}

export interface MatchRules {
  /** Whether somebody whom we do not know gets an account. */
  mayCreate: boolean
  /** Name and image follow the provider. */
  overrideUserInfo?: boolean | undefined
}

/** Why an identity signs nobody in; also the codes of the error redirects. */
export type Refusal = 'account_not_linked' | 'signup_disabled' | 'unable_to_link_account' | 'unable_to_create_user'

export type Match = { kind: 'matched'; user: User; isNew: boolean } | { kind: 'refused'; reason: Refusal }

const refused = (reason: Refusal): Match => ({ kind: 'refused', reason })

/** Others may win a race for the same identity or address; then what they wrote decides. */
const mostRounds = 3

/** Finds or makes the user of an identity. The UNIQUE indexes of identities and addresses hold it in every race. */
export async function matchPerson(scope: Scope, identity: ProvenIdentity, rules: MatchRules): Promise<Match> {
  const sealed = await sealTokens(scope, identity.tokens)
  for (let round = 1; round <= mostRounds; round++) {
    const match = await matchOnce(scope, identity, sealed, rules)
    if (match) return match
  }
  return refused('unable_to_link_account')
}

/** @returns null when somebody else was faster, and it has to be looked at again */
async function matchOnce(
  scope: Scope,
  identity: ProvenIdentity,
  sealed: SealedTokens,
  rules: MatchRules,
): Promise<Match | null> {
  const { providerId, person } = identity
  const { account, byEmail } = await findKnown(scope.db, providerId, person.id, person.email)
  if (account) {
    let user = account.user
    if (person.emailVerified && user.email === person.email) {
      user = await proveNow(scope, user, { providerId, accountId: person.id })
    }
    await replaceTokens(scope.db, account.id, sealed, scope.now())
    if (rules.overrideUserInfo) user = await adoptInfo(scope, user, person)
    return { kind: 'matched', user, isNew: false }
  }
  if (byEmail) return linkByAddress(scope, identity, sealed, byEmail)
  return rules.mayCreate ? create(scope, identity, sealed) : refused('signup_disabled')
}

/** The address leads to a user whom this identity does not belong to yet. */
async function linkByAddress(
  scope: Scope,
  { providerId, person, trusted }: ProvenIdentity,
  sealed: SealedTokens,
  found: User,
): Promise<Match | null> {
  const { enabled, updateUserInfoOnLink } = accountOptions.of(scope).accountLinking
  if (!enabled || !(trusted || person.emailVerified)) return refused('account_not_linked')
  // Whoever made the account without proving the address loses it to whoever has proven it now.
  const user = await proveNow(scope, found)
  if (!(await give(scope, user, providerId, person.id, sealed))) return null
  return { kind: 'matched', user: updateUserInfoOnLink ? await adoptInfo(scope, user, person) : user, isNew: false }
}

async function create(
  scope: Scope,
  { providerId, person }: ProvenIdentity,
  sealed: SealedTokens,
): Promise<Match | null> {
  const { name, email, emailVerified, image } = person
  let user: User | null
  try {
    user = await createUser(
      scope,
      { name, email, emailVerified, image },
      { providerId, accountId: person.id, ...sealed },
    )
  } catch (thrown) {
    if (isUniqueViolation(thrown)) return null
    if (!(thrown instanceof AppError)) throw thrown
    scope.log('info', 'sign-up-refused', { provider: providerId, code: thrown.code, reason: reasonOf(thrown) })
    return refused('unable_to_create_user')
  }
  if (!user) return null
  const { enabled, sendOnSignUp } = emailVerificationOptions.of(scope)
  if (enabled && sendOnSignUp && !user.emailVerified) await mailVerification(scope, user)
  return { kind: 'matched', user, isNew: true }
}

async function proveNow(scope: Scope, user: User, identity?: Identity): Promise<User> {
  const proven = proveAddress(scope, user, { identity })
  await runBatch(scope.db, proven.statements)
  await proven.written()
  return proven.user
}

/** Signs a matched person in. */
export const signInMatched = (
  scope: Scope,
  { user, isNew }: Extract<Match, { kind: 'matched' }>,
): Promise<SignInResult> => completeSignIn(scope, { user, method: 'social', proven: isNew ? 'creation' : 'provider' })

const give = (scope: Scope, user: User, providerId: string, accountId: string, sealed: SealedTokens) =>
  giveIdentity(
    scope.db,
    { id: newId(), providerId, accountId, userId: user.id, createdAt: scope.now(), ...sealed },
    user.securityVersion,
  )

const adoptInfo = (scope: Scope, user: User, { name, image }: KnownPerson): Promise<User> =>
  user.name === name && user.image === image ? Promise.resolve(user) : changeUser(scope, user, { name, image })

/** How linking an identity to somebody who is signed in went. */
export type Linked =
  | { kind: 'linked'; user: User }
  | { kind: 'refused'; reason: 'account_already_linked_to_different_user' | 'unable_to_link_account' }

/** Links an identity to somebody who is signed in and asked for it: they have proven both, so no address is needed. */
export async function linkPerson(
  scope: Scope,
  user: User,
  { providerId, person, tokens }: Pick<ProvenIdentity, 'providerId' | 'tokens'> & { person: KnownPerson },
): Promise<Linked> {
  const { enabled, updateUserInfoOnLink } = accountOptions.of(scope).accountLinking
  if (!enabled) return { kind: 'refused', reason: 'unable_to_link_account' }
  if (!(await give(scope, user, providerId, person.id, await sealTokens(scope, tokens)))) {
    const { account } = await findKnown(scope.db, providerId, person.id, user.email)
    const isSomebodyElses = account !== null && account.user.id !== user.id
    return {
      kind: 'refused',
      reason: isSomebodyElses ? 'account_already_linked_to_different_user' : 'unable_to_link_account',
    }
  }
  return { kind: 'linked', user: updateUserInfoOnLink ? await adoptInfo(scope, user, person) : user }
}
