import type { Scope } from '../../identity/scope.ts'
import { accountOptions, emailVerificationOptions } from '../../identity/settings.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { type Identity, proveAddress } from '../../identity/users/prove-address.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import type { User } from '../../identity/users/users.table.ts'
import { type DraftedUser, draftChange, draftUser, userChanged, userCreated } from '../../identity/users/users.ts'
import { verificationMailTask } from '../../identity/verifications/email-mails.ts'
import { isUsedAlready } from '../../identity/verifications/used-records.ts'
import { AppError, HookRefusal } from '../../kit/errors.ts'
import { newId } from '../../kit/random.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { reasonOf } from '../../platform/log.ts'
import { isUnmetDemand, runBatch, type Statement } from '../../platform/statements.ts'
import type { KnownPerson } from './profile.ts'
import { type KeptTokens, sealTokens } from './sealed-tokens.ts'
import { findKnown, giveIdentity, replaceTokens, type SealedTokens } from './social.store.ts'

/** An identity at a provider that somebody has just proven to be theirs. */
export interface ProvenIdentity {
  providerId: string
  /** Without an address only who is known already is signed in. */
  person: KnownPerson
  tokens: KeptTokens
  /** The configuration takes the provider's word for an address even where it is not called verified. */
  trusted: boolean
}

export interface MatchRules {
  /** Whether somebody whom we do not know gets an account. */
  mayCreate: boolean
  /** Name and image follow the provider. */
  overrideUserInfo?: boolean | undefined
  /** The identity comes with an address that its person has proven here, by what is used up in the batch. */
  addressProof?: readonly Statement[] | undefined
}

/** Why an identity signs nobody in; also the codes of the error redirects. */
export type Refusal =
  | 'email_not_found'
  | 'account_not_linked'
  | 'signup_disabled'
  | 'unable_to_link_account'
  | 'unable_to_create_user'

export type IdentitySignIn =
  | { kind: 'done'; result: SignInResult; isNew: boolean }
  | { kind: 'refused'; reason: Refusal }

/** The user of an identity, and what has to be written for them to be it: in the batch of their session. */
interface Match {
  kind: 'matched'
  user: User
  isNew: boolean
  statements: Statement[]
  /** Reactions, when the batch is written. */
  written(): Promise<void>
}

type Refused = Extract<IdentitySignIn, { kind: 'refused' }>

const refused = (reason: Refusal): Refused => ({ kind: 'refused', reason })

/** Others may win a race for the same identity or address; then what they wrote decides. */
const mostRounds = 3

/**
 * Signs in by an identity: finds or makes its user, and writes what follows from it together with the session. The
 * UNIQUE indexes of identities and addresses hold it in every race.
 * @throws what completeSignIn says; `isUsedAlready` of the address's proof
 */
export async function signInByIdentity(
  scope: Scope,
  identity: ProvenIdentity,
  rules: MatchRules,
): Promise<IdentitySignIn> {
  const sealed = await sealTokens(scope, identity.tokens)
  for (let round = 1; ; round++) {
    const match = await matchPerson(scope, identity, sealed, rules)
    if (match.kind === 'refused') return match
    const { user, isNew, statements, written } = match
    const { addressProof = [] } = rules
    try {
      const result = await completeSignIn(scope, {
        user,
        method: 'social',
        shownMethod: identity.providerId,
        proven: isNew ? 'creation' : 'provider',
        alongside: [...addressProof, ...statements],
      })
      await written()
      return { kind: 'done', result, isNew }
    } catch (thrown) {
      if (isUsedAlready(thrown)) throw thrown
      const again = wasOvertaken(thrown)
      if (again && round < mostRounds) continue
      if (!again || thrown instanceof AppError) throw thrown
      return refused('unable_to_link_account')
    }
  }
}

/** Whether nothing was written because somebody else has written first: it has to be looked at again. */
const wasOvertaken = (thrown: unknown): boolean =>
  isUniqueViolation(thrown) ||
  isUnmetDemand(thrown) ||
  (thrown instanceof AppError && thrown.code === core.FAILED_TO_CREATE_SESSION.code)

async function matchPerson(
  scope: Scope,
  identity: ProvenIdentity,
  sealed: SealedTokens,
  rules: MatchRules,
): Promise<Match | Refused> {
  const { providerId, person } = identity
  const { account, byEmail } = await findKnown(scope.db, providerId, person.id, person.email)
  if (account) {
    const provesAddress = person.emailVerified && account.user.email === person.email
    const tokens = replaceTokens(scope.db, account.id, sealed, scope.now())
    const match = provesAddress
      ? takeOver(scope, account.user, { providerId, accountId: person.id })
      : matched(account.user)
    return withInfo(scope, adding(match, [tokens]), rules.overrideUserInfo ? person : null)
  }
  const { email } = person
  if (email === null) return refused('email_not_found')
  if (byEmail) return linkByAddress(scope, identity, sealed, byEmail)
  return rules.mayCreate
    ? create(scope, { ...identity, person: { ...person, email } }, sealed)
    : refused('signup_disabled')
}

const matched = (user: User): Match => ({
  kind: 'matched',
  user,
  isNew: false,
  statements: [],
  written: async () => {},
})

const adding = (match: Match, statements: readonly Statement[]): Match => ({
  ...match,
  statements: [...match.statements, ...statements],
})

/** The provider's word proves the address: whoever made the account without a proof loses it. */
function takeOver(scope: Scope, user: User, identity?: Identity): Match {
  const proven = proveAddress(scope, user, { identity })
  return { ...matched(proven.user), statements: proven.statements, written: proven.written }
}

/** The address leads to a user whom this identity does not belong to yet. */
async function linkByAddress(
  scope: Scope,
  { providerId, person, trusted }: ProvenIdentity,
  sealed: SealedTokens,
  found: User,
): Promise<Match | Refused> {
  const { enabled, updateUserInfoOnLink } = accountOptions.of(scope).accountLinking
  if (!enabled || found.emailIsPlaceholder || !(trusted || person.emailVerified)) return refused('account_not_linked')
  const match = takeOver(scope, found)
  const identity = give(scope, match.user, providerId, person.id, sealed)
  return withInfo(scope, adding(match, identity), updateUserInfoOnLink ? person : null)
}

async function create(
  scope: Scope,
  { providerId, person }: ProvenIdentity & { person: { email: string } },
  sealed: SealedTokens,
): Promise<Match | Refused> {
  const { name, email, emailVerified, image } = person
  let drafted: DraftedUser
  try {
    drafted = await draftUser(
      scope,
      { name, email, emailVerified, image },
      { providerId, accountId: person.id, ...sealed },
    )
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown instanceof HookRefusal) throw thrown
    scope.log('info', 'sign-up-refused', { provider: providerId, code: thrown.code, reason: reasonOf(thrown) })
    return refused('unable_to_create_user')
  }
  const { user, statements } = drafted
  const { enabled, sendOnSignUp } = emailVerificationOptions.of(scope)
  const mail = enabled && sendOnSignUp && !user.emailVerified ? await verificationMailTask(scope, user) : []
  return {
    kind: 'matched',
    user,
    isNew: true,
    statements: [...statements, ...mail],
    written: () => userCreated(scope, user),
  }
}

/** Name and image follow the provider, where it tells them (Apple tells a name once) and they differ. */
async function withInfo(scope: Scope, match: Match, info: KnownPerson | null): Promise<Match> {
  const { user } = match
  const name = info?.name && info.name !== info.email ? info.name : user.name
  const image = info?.image ?? user.image
  if (user.name === name && user.image === image) return match
  const changed = await draftChange(scope, user, { name, image })
  return {
    ...adding(match, changed.statements),
    user: changed.user,
    async written() {
      await match.written()
      await userChanged(scope, changed.user)
    },
  }
}

const give = (scope: Scope, user: User, providerId: string, accountId: string, sealed: SealedTokens): Statement[] =>
  giveIdentity(
    scope.db,
    { id: newId(), providerId, accountId, userId: user.id, createdAt: scope.now(), ...sealed },
    user.securityVersion,
  )

/** How linking an identity to somebody who is signed in went. */
export type Linked =
  | { kind: 'linked'; user: User }
  | { kind: 'refused'; reason: 'account_already_linked_to_different_user' | 'unable_to_link_account' }

/**
 * Links an identity to somebody who is signed in and asked for it: they have proven both, so no address is needed. Where
 * the identity's verified one is theirs it is proven with that, in a browser that holds their session: all else stays.
 */
export async function linkPerson(
  scope: Scope,
  user: User,
  { providerId, person, tokens }: Pick<ProvenIdentity, 'providerId' | 'tokens'> & { person: KnownPerson },
): Promise<Linked> {
  const { enabled, updateUserInfoOnLink } = accountOptions.of(scope).accountLinking
  if (!enabled) return { kind: 'refused', reason: 'unable_to_link_account' }
  const identity = give(scope, user, providerId, person.id, await sealTokens(scope, tokens))
  const proof = proveAddress(scope, user, 'keep')
  const proven =
    person.emailVerified && person.email === user.email ? { ...matched(proof.user), ...proof } : matched(user)
  const match = await withInfo(scope, adding(proven, identity), updateUserInfoOnLink ? person : null)
  try {
    await runBatch(scope.db, match.statements)
  } catch (thrown) {
    if (!isUnmetDemand(thrown)) throw thrown
    const { account } = await findKnown(scope.db, providerId, person.id, user.email)
    const isSomebodyElses = account !== null && account.user.id !== user.id
    return {
      kind: 'refused',
      reason: isSomebodyElses ? 'account_already_linked_to_different_user' : 'unable_to_link_account',
    }
  }
  await match.written()
  return { kind: 'linked', user: match.user }
}
