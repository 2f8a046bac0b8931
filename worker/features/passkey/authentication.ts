import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Scope } from '../../identity/scope.ts'
import { emailAndPasswordOptions, emailVerificationOptions } from '../../identity/settings.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { mailVerification } from '../../identity/verifications/email-mails.ts'
import { ms } from '../../kit/time.ts'
import { isUnmetDemand } from '../../platform/statements.ts'
import { claimChallenge, issueChallenge, onClaimed } from './challenges.ts'
import { demandsVerification, describeCredential } from './credentials.ts'
import { passkeyOptions } from './passkey.config.ts'
import type { RequestOptions } from './passkey.contract.ts'
import { passkeyErrors as errors, unknownPasskey } from './passkey.errors.ts'
import { findByCredential, listPasskeys, recordUse } from './passkey.store.ts'
import type { Passkey } from './passkey.table.ts'
import { relyingParty } from './relying-party.ts'

const ceremony = 'passkey-authentication'

/**
 * What a browser is to ask its authenticators for (WebAuthn, section 5.5). Nobody's passkeys are named to a visitor,
 * whatever address they give; the authenticators list what they have.
 */
export async function beginAuthentication(scope: Scope): Promise<RequestOptions> {
  const { authenticatorSelection, timeout } = passkeyOptions.of(scope)
  const [{ generateAuthenticationOptions }, caller] = await Promise.all([
    import('@simplewebauthn/server'),
    scope.caller(),
  ])
  const own = caller ? await listPasskeys(scope.db, caller.user.id) : []
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(scope).id,
    ...(own.length > 0 ? { allowCredentials: own.map(describeCredential) } : {}),
    timeout: ms(timeout),
    userVerification: authenticatorSelection.userVerification,
  })
  await issueChallenge(scope, ceremony, options.challenge)
  return options as RequestOptions
}

/**
 * Signs in with a passkey (WebAuthn, section 7.2). An authenticator that verified its user has given both factors;
 * one that did not has shown that somebody holds it.
 * @throws see the contract
 */
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
  const shown = await verify(scope, response, passkey, challenge)
  // Who signed up with a passkey alone has shown nothing of the address, as little as with a password.
  const asksForAddress = passkeyOptions.of(scope).signUp && emailAndPasswordOptions.of(scope).requireEmailVerification
  if (asksForAddress && !user.emailVerified && !user.emailIsPlaceholder) {
    if (emailVerificationOptions.of(scope).enabled) await mailVerification(scope, user)
    throw core.EMAIL_NOT_VERIFIED()
  }
  return completeSignIn(scope, {
    user,
    method: 'passkey',
    proven: shown.userVerified ? 'both-factors' : 'key',
    alongside: recordUse(scope.db, passkey, {
      counter: shown.newCounter,
      backedUp: shown.credentialBackedUp,
      lastUsedAt: scope.now(),
    }),
  }).catch((thrown) => {
    throw isUnmetDemand(thrown) ? errors.AUTHENTICATION_FAILED({ detail: 'counter passed meanwhile' }) : thrown
  })
}

/** @throws AUTHENTICATION_FAILED with the reason as its private detail */
async function verify(scope: Scope, response: AuthenticationResponseJSON, passkey: Passkey, challenge: string) {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, origins } = relyingParty(scope)
  try {
    // The user handle is not compared: the credential's id is unique and its signature is the proof, and passkeys that
    // came with a product from elsewhere carry handles of their own.
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: demandsVerification(scope),
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
