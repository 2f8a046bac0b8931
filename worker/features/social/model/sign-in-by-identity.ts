import { accountOptions, emailVerificationOptions } from '../../../identity/accounts/accounts.config.ts'
import { addVerificationMail } from '../../../identity/accounts/email-mails.ts'
import { type ProviderIdentity, proveAddress } from '../../../identity/accounts/prove-address.ts'
import { addChange, addUser } from '../../../identity/accounts/users.ts'
import { methodAtProvider, type SignInMethod } from '../../../identity/model/method.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { securityEvent } from '../../../identity/security/security-events.ts'
import { completeSignIn, type SignInResult } from '../../../identity/sign-in/sign-in.ts'
import { Overtaken, unitOfWork } from '../../../identity/unit-of-work.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import type { Work } from '../../../identity/work.ts'
import { AppError, type AppErrorKind, HookRefusal } from '../../../kit/errors.ts'
import { reasonOf } from '../../../platform/log.ts'
import {
  addIdentity,
  findKnown,
  isNewIdentity,
  replaceTokens,
  type SealedTokens,
  TooManyAccounts,
} from './identities.store.ts'
import type { KnownPerson } from './profile.ts'
import { type KeptTokens, sealTokens } from './sealed-tokens.ts'
import { socialErrors as errors } from './social.errors.ts'

/** An identity at a provider that the user has just proven. */
export interface ProvenIdentity {
  providerId: string
  /** Without an address, only an existing user is signed in. */
  person: KnownPerson
  tokens: KeptTokens
}

export interface MatchRules {
  /** Whether an unknown identity creates a user. */
  mayCreate: boolean
  /** Replaces name and image by those of the provider. */
  overrideUserInfo?: boolean | undefined
  /** The default is a provider of `socialProviders` or `genericOAuth`. */
  method?: SignInMethod
  /** When the user authenticated, if not now. */
  authenticatedAt?: Date
  /** Uses the code that proved the address of the identity. */
  addressProof?: ((work: Work) => void) | undefined
}

/** Why an identity does not sign in. These are also the codes of the error redirects. */
export type IdentityRefusal =
  | 'email_not_found'
  | 'account_not_linked'
  | 'signup_disabled'
  | 'unable_to_link_account'
  | 'unable_to_create_user'

export const refusalErrors: Record<IdentityRefusal, AppErrorKind> = {
  email_not_found: errors.USER_EMAIL_NOT_FOUND,
  account_not_linked: errors.ACCOUNT_NOT_LINKED,
  signup_disabled: errors.SIGNUP_DISABLED,
  unable_to_link_account: errors.UNABLE_TO_LINK_ACCOUNT,
  unable_to_create_user: errors.UNABLE_TO_CREATE_USER,
}

type Done = { kind: 'done'; result: SignInResult; isNew: boolean }

type Refused = { kind: 'refused'; reason: IdentityRefusal }

/** The user of an identity after the commit. */
interface Match {
  kind: 'matched'
  user: User
  isNew: boolean
}

const refused = (reason: IdentityRefusal): Refused => ({ kind: 'refused', reason })

/** The maximum number of attempts with parallel requests for the same identity or address. */
const maxRounds = 3

/** Signs in by an identity: finds or creates its user in the batch of the session. UNIQUE indexes decide races. */
export async function signInByIdentity(
  scope: Scope,
  identity: ProvenIdentity,
  rules: MatchRules,
): Promise<Done | Refused> {
  const sealed = await sealTokens(scope, identity.tokens)
  for (let round = 1; ; round++) {
    const work = unitOfWork(scope)
    rules.addressProof?.(work)
    const match = await matchUser(scope, work, identity, sealed, rules)
    if (match.kind === 'refused') return match
    const { user, isNew } = match
    work.unique('*', () => new Overtaken())
    try {
      const result = await completeSignIn(scope, work, {
        user,
        method: rules.method ?? 'social',
        shownMethod: methodAtProvider(identity.providerId),
        proven: isNew ? 'creation' : 'provider',
        ...(rules.authenticatedAt ? { session: { authenticatedAt: rules.authenticatedAt } } : {}),
      })
      return { kind: 'done', result, isNew }
    } catch (thrown) {
      if (thrown instanceof TooManyAccounts) return refused('unable_to_link_account')
      const again = wasOvertaken(thrown)
      if (again && round < maxRounds) continue
      if (!again || thrown instanceof AppError) throw thrown
      return refused('unable_to_link_account')
    }
  }
}

/** Signs in with an identity, with an error for each rejection. */
export async function requireSignIn(
  scope: Scope,
  identity: ProvenIdentity,
  rules: MatchRules,
  refusals: Record<IdentityRefusal, AppErrorKind>,
): Promise<Done> {
  const signIn = await signInByIdentity(scope, identity, rules)
  if (signIn.kind === 'refused') throw refusals[signIn.reason]()
  return signIn
}

/** Whether nothing was written because a parallel request was first. The next round reads the new state. */
const wasOvertaken = (thrown: unknown): boolean =>
  thrown instanceof Overtaken || (thrown instanceof AppError && thrown.code === core.FAILED_TO_CREATE_SESSION.code)

async function matchUser(
  scope: Scope,
  work: Work,
  identity: ProvenIdentity,
  sealed: SealedTokens,
  rules: MatchRules,
): Promise<Match | Refused> {
  const { providerId, person } = identity
  const { account, byEmail } = await findKnown(scope.db, providerId, person.id, person.email)
  if (account) {
    const provesAddress = person.emailVerified && account.user.email === person.email
    // The provider proves the address: everything that was created without a proof is deleted.
    const proof = { identity: { providerId, accountId: person.id } }
    const proven = provesAddress ? proveAddress(scope, work, account.user, proof) : account.user
    work.run(replaceTokens(scope.db, account.id, sealed, scope.now()))
    const user = await addInfo(scope, work, proven, rules.overrideUserInfo ? person : null)
    return { kind: 'matched', user, isNew: false }
  }
  const { email } = person
  if (email === null) return refused('email_not_found')
  if (byEmail) return linkByAddress(scope, work, identity, sealed, byEmail)
  return rules.mayCreate
    ? create(scope, work, { ...identity, person: { ...person, email } }, sealed)
    : refused('signup_disabled')
}

/** Another user's account has the address, and this identity is not linked to it. */
async function linkByAddress(
  scope: Scope,
  work: Work,
  { providerId, person }: ProvenIdentity,
  sealed: SealedTokens,
  found: User,
): Promise<Match | Refused> {
  const { enabled, updateUserInfoOnLink, trustedProviders } = accountOptions.of(scope).accountLinking
  // The configuration may accept the address of a provider that does not verify it.
  const isProven = person.emailVerified || trustedProviders.includes(providerId)
  if (!enabled || found.emailIsPlaceholder || !isProven) return refused('account_not_linked')
  const proven = proveAddress(scope, work, found)
  const identity = { providerId, accountId: person.id }
  recordLink(scope, work, found, identity)
  addIdentity(scope, work, proven, identity, sealed)
  const user = await addInfo(scope, work, proven, updateUserInfoOnLink ? person : null)
  return { kind: 'matched', user, isNew: false }
}

async function create(
  scope: Scope,
  work: Work,
  { providerId, person }: ProvenIdentity & { person: { email: string } },
  sealed: SealedTokens,
): Promise<Match | Refused> {
  const { name, email, emailVerified, image } = person
  const account = { providerId, accountId: person.id, ...sealed }
  let user: User
  try {
    user = await addUser(scope, work, { name, email, emailVerified, image }, account)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown instanceof HookRefusal || thrown.status === 429) throw thrown
    if (thrown.code === 'DISPOSABLE_EMAIL') throw thrown
    scope.log('info', 'sign-up-refused', { provider: providerId, code: thrown.code, reason: reasonOf(thrown) })
    return refused('unable_to_create_user')
  }
  const { enabled, sendOnSignUp } = emailVerificationOptions.of(scope)
  if (enabled && sendOnSignUp && !user.emailVerified) await addVerificationMail(scope, work, user)
  return { kind: 'matched', user, isNew: true }
}

/** Updates name and image from the provider, where it returns others (Apple sends a name once). @returns the new row */
export async function addInfo(scope: Scope, work: Work, user: User, info: KnownPerson | null): Promise<User> {
  const name = info?.name && info.name !== info.email ? info.name : user.name
  const image = info?.image ?? user.image
  if (user.name === name && user.image === image) return user
  return addChange(scope, work, user, { name, image })
}

/** Records the link of an identity before the write. Does nothing if the identity is already linked. */
export function recordLink(
  scope: Scope,
  work: Work,
  user: User,
  identity: ProviderIdentity,
  sessionId: string | null = null,
): void {
  const details = { provider: identity.providerId }
  securityEvent(scope, work, { type: 'provider-linked', user, sessionId, details }, isNewIdentity(identity))
}
