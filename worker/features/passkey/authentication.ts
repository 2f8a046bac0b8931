import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { emailAndPasswordOptions, emailVerificationOptions } from '../../identity/accounts/accounts.config.ts'
import { mailVerification } from '../../identity/accounts/email-mails.ts'
import type { Scope } from '../../identity/scope.ts'
import { noteFailedSignIn } from '../../identity/security/sign-in-events.ts'
import { amrOfPasskey } from '../../identity/sessions/amr.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in/sign-in.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { ms } from '../../kit/time.ts'
import { type Ceremony, claimChallenge, issueChallenge, onClaimed } from './challenges.ts'
import { demandsVerification, describeCredential } from './credentials.ts'
import { passkeyOptions } from './passkey.config.ts'
import type { RequestOptions } from './passkey.contract.ts'
import { passkeyErrors as errors, unknownPasskey } from './passkey.errors.ts'
import { findByCredential, listPasskeys, type PasskeyUse, recordPasskeyUse } from './passkey.store.ts'
import type { Passkey } from './passkey.table.ts'
import { relyingParty } from './relying-party.ts'

const ceremony = 'passkey-authentication'

/** The request options (WebAuthn, section 5.5). They name no passkeys to a visitor, whatever the address. */
export const beginAuthentication = async (scope: Scope): Promise<RequestOptions> =>
  beginCeremony(scope, ceremony, (await scope.caller())?.user ?? null)

/** The same for another ceremony. @param owner of the listed passkeys */
export async function beginCeremony(
  scope: Scope,
  kind: Ceremony,
  owner: { id: string } | null,
  userVerification = passkeyOptions.of(scope).authenticatorSelection.userVerification,
): Promise<RequestOptions> {
  const { hints, timeout } = passkeyOptions.of(scope)
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const own = owner ? await listPasskeys(scope.db, owner.id) : []
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(scope).id,
    ...(own.length > 0 ? { allowCredentials: own.map(describeCredential) } : {}),
    timeout: ms(timeout),
    userVerification,
  })
  await issueChallenge(scope, kind, options.challenge, owner?.id)
  return { ...options, ...(hints.length > 0 ? { hints } : {}) } as RequestOptions
}

/** Signs in with a passkey (WebAuthn, section 7.2). With verification of the user, it has given both factors. */
export async function finishAuthentication(scope: Scope, response: AuthenticationResponseJSON): Promise<SignInResult> {
  const claiming = claimChallenge(scope, ceremony, response.response.clientDataJSON)
  const finding = findByCredential(scope.db, response.id)
  await Promise.allSettled([claiming, finding])
  const claimed = await claiming
  if (claimed.kind === 'gone') throw errors.CHALLENGE_NOT_FOUND()
  if (claimed.kind === 'claimed') {
    return onClaimed(scope, ceremony, claimed, async () =>
      signInWith(scope, response, claimed.challenge, await finding),
    )
  }
  if (!(await finding)) throw unknownPasskey()
  throw errors.AUTHENTICATION_FAILED({ detail: 'unknown challenge' })
}

async function signInWith(
  scope: Scope,
  response: AuthenticationResponseJSON,
  challenge: string,
  found: Awaited<ReturnType<typeof findByCredential>>,
): Promise<SignInResult> {
  if (!found) throw unknownPasskey()
  const { passkey, user } = found
  const verification = demandsVerification(scope)
  const shown = await verifyPasskeyAssertion(scope, response, passkey, challenge, verification).catch((thrown) => {
    noteFailedSignIn(scope, { user, method: 'passkey' })
    throw thrown
  })
  // A sign-up with only a passkey does not prove the address, as a sign-up with a password does not.
  const asksForAddress = passkeyOptions.of(scope).signUp && emailAndPasswordOptions.of(scope).requireEmailVerification
  if (asksForAddress && !user.emailVerified && !user.emailIsPlaceholder) {
    if (emailVerificationOptions.of(scope).enabled) await mailVerification(scope, user)
    throw core.EMAIL_NOT_VERIFIED()
  }
  const work = unitOfWork(scope, () => errors.AUTHENTICATION_FAILED({ detail: 'another request has a higher counter' }))
  recordPasskeyUse(scope.db, work, passkey, assertionUse(scope, shown))
  return completeSignIn(scope, work, {
    user,
    method: 'passkey',
    proven: shown.userVerified ? 'both-factors' : 'key',
    credentialId: passkey.credentialID,
    amr: amrOfPasskey(shown.credentialDeviceType === 'multiDevice', shown.userVerified),
  })
}

/** The changes of a passkey after a verified assertion. */
export const assertionUse = (scope: Scope, shown: { newCounter: number; credentialBackedUp: boolean }): PasskeyUse => ({
  counter: shown.newCounter,
  backedUp: shown.credentialBackedUp,
  lastUsedAt: scope.now(),
})

/** @throws AUTHENTICATION_FAILED with the reason as its logged detail */
export async function verifyPasskeyAssertion(
  scope: Scope,
  response: AuthenticationResponseJSON,
  passkey: Passkey,
  challenge: string,
  requireUserVerification: boolean,
) {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, origins } = relyingParty(scope, response.response.clientDataJSON)
  try {
    // The user handle is not compared. The credential's id is unique and its signature is the proof, and imported
    // passkeys have other handles.
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification,
      credential: {
        id: passkey.credentialID,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64')),
        counter: passkey.counter,
      },
    })
    if (verified) return authenticationInfo
  } catch (thrown) {
    throw errors.AUTHENTICATION_FAILED({ detail: String(thrown) })
  }
  throw errors.AUTHENTICATION_FAILED({ detail: 'signature' })
}
