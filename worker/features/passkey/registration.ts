import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { newId } from '../../kit/random.ts'
import { ms } from '../../kit/time.ts'
import { endsAtRoot, leavePathsToUs } from './attestation.ts'
import { claimChallenge, issueChallenge, onClaimed } from './challenges.ts'
import { demandsVerification, describeCredential, supportedAlgorithms } from './credentials.ts'
import { passkeyOptions } from './passkey.config.ts'
import type { CreationOptions } from './passkey.contract.ts'
import { passkeyErrors as errors } from './passkey.errors.ts'
import { addPasskey } from './passkey.store.ts'
import type { Passkey } from './passkey.table.ts'
import { relyingParty, userHandle } from './relying-party.ts'

type Attachment = 'platform' | 'cross-platform'

/** The options for navigator.credentials.create(), for a passkey of the caller (WebAuthn, section 5.4). */
export async function beginRegistration(
  scope: Scope,
  { user }: Caller,
  existing: Passkey[],
  asked: {
    authenticatorAttachment?: Attachment | undefined
    name?: string | undefined
    automatic?: 'true' | undefined
  },
): Promise<CreationOptions> {
  const automatic = asked.automatic !== undefined
  if (automatic && passkeyOptions.of(scope).attestation.allowed.length > 0) throw errors.AUTHENTICATOR_NOT_ALLOWED()
  const options = await creationOptions(scope, user, asked.name || user.email, {
    existing,
    attachment: asked.authenticatorAttachment,
    automatic,
  })
  await issueChallenge(scope, ceremonyOf(automatic), options.challenge, user.id)
  return options
}

/** The record of a challenge says whether the user was asked. */
const ceremonyOf = (automatic: boolean) =>
  automatic ? ('passkey-automatic-registration' as const) : ('passkey-registration' as const)

/** The options of a ceremony, with a challenge that is not yet stored. */
export async function creationOptions(
  scope: Scope,
  user: { id: string; email: string },
  userName: string,
  {
    existing = [],
    attachment,
    automatic = false,
  }: { existing?: Passkey[]; attachment?: Attachment | undefined; automatic?: boolean } = {},
): Promise<CreationOptions> {
  const { attestation, authenticatorSelection, hints, timeout } = passkeyOptions.of(scope)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const { id, name } = relyingParty(scope)
  const authenticatorAttachment = automatic ? undefined : (attachment ?? authenticatorSelection.authenticatorAttachment)
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: userHandle(user.id),
    userName,
    userDisplayName: user.email,
    timeout: ms(timeout),
    attestationType: attestation.allowed.length > 0 ? 'direct' : 'none',
    excludeCredentials: existing.map(describeCredential),
    authenticatorSelection: {
      // Password managers make discoverable ones only, and ask for nothing.
      residentKey: automatic ? 'required' : authenticatorSelection.residentKey,
      userVerification: automatic ? 'preferred' : authenticatorSelection.userVerification,
      ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
    },
    supportedAlgorithmIDs: supportedAlgorithms,
  })
  return { ...options, hints } as CreationOptions
}

/** Stores the passkey that the browser has made for the caller (WebAuthn, section 7.1). */
export async function finishRegistration(
  scope: Scope,
  { user, session }: Caller,
  {
    response,
    name,
    automatic = false,
  }: { response: RegistrationResponseJSON; name?: string | undefined; automatic?: boolean | undefined },
): Promise<Passkey> {
  const { maximumPasskeys: maximum } = passkeyOptions.of(scope)
  const ceremony = ceremonyOf(automatic)
  const claimed = await claimChallenge(scope, ceremony, response.response.clientDataJSON)
  if (claimed.kind === 'gone') throw errors.CHALLENGE_NOT_FOUND()
  if (claimed.kind === 'foreign') throw errors.FAILED_TO_VERIFY_REGISTRATION({ detail: 'unknown challenge' })
  if (claimed.userId !== user.id) throw errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY()
  const passkey = await verifiedPasskey(scope, response, claimed.challenge, {
    userId: user.id,
    name,
    automatic,
  })
  const work = unitOfWork(scope)
  work
    .run(addPasskey(scope.db, passkey, { securityVersion: user.securityVersion, maximum }))
    .orFail(errors.TOO_MANY_PASSKEYS)
  securityEvent(scope, work, { type: 'passkey-added', user, sessionId: session.id })
  work.unique('*', errors.PREVIOUSLY_REGISTERED)
  await onClaimed(scope, ceremony, claimed, () => work.commit())
  return passkey
}

/** The passkey that a response has made, not stored yet. @throws FAILED_TO_VERIFY_REGISTRATION, AUTHENTICATOR_NOT_ALLOWED */
export async function verifiedPasskey(
  scope: Scope,
  response: RegistrationResponseJSON,
  challenge: string,
  { userId, name, automatic = false }: { userId: string; name?: string | undefined; automatic?: boolean },
): Promise<Passkey> {
  const made = await verify(scope, response, challenge, automatic)
  return {
    name: name || null,
    publicKey: Buffer.from(made.credential.publicKey).toString('base64'),
    userId,
    credentialID: made.credential.id,
    counter: made.credential.counter,
    deviceType: made.credentialDeviceType,
    backedUp: made.credentialBackedUp,
    transports: response.response.transports?.join(',') || null,
    createdAt: scope.now(),
    aaguid: made.aaguid,
    lastUsedAt: null,
    id: newId(),
  }
}

/** @throws FAILED_TO_VERIFY_REGISTRATION or AUTHENTICATOR_NOT_ALLOWED, with the reason as the logged detail */
async function verify(scope: Scope, response: RegistrationResponseJSON, challenge: string, automatic: boolean) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const { id, origins } = relyingParty(scope, response.response.clientDataJSON)
  const { allowed, roots } = passkeyOptions.of(scope).attestation
  const readsStatement = roots.length > 0
  if (readsStatement) await leavePathsToUs()
  const checked = async () => {
    const given = response.response.attestationObject
    const object = decodeAttestationObject(isoBase64URL.toBuffer(given))
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...response,
        response: {
          ...response.response,
          attestationObject: readsStatement ? given : isoBase64URL.fromBuffer(withoutStatement(object.get('authData'))),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: id,
      // Without a question, authenticators state neither (WebAuthn, section 5.1.3). A sign-in still demands verification.
      requireUserPresence: !automatic,
      requireUserVerification: !automatic && demandsVerification(scope),
      supportedAlgorithmIDs: supportedAlgorithms,
    })
    return verified ? { ...registrationInfo, chain: object.get('attStmt').get('x5c') } : null
  }
  const made = await checked().catch((thrown) => {
    throw errors.FAILED_TO_VERIFY_REGISTRATION({ detail: String(thrown) })
  })
  if (!made) throw errors.FAILED_TO_VERIFY_REGISTRATION({ detail: 'attestation' })
  if (allowed.length > 0 && !allowed.includes(made.aaguid)) {
    throw errors.AUTHENTICATOR_NOT_ALLOWED({ detail: `model ${made.aaguid}` })
  }
  if (readsStatement && !endsAtRoot(made.chain, roots, scope.now())) {
    throw errors.AUTHENTICATOR_NOT_ALLOWED({ detail: `statement ${made.fmt} does not lead to a root` })
  }
  return made
}

/** CBOR of `{ fmt: "none", attStmt: {}, authData: … }` up to the data (RFC 8949, section 3). */
const statementOfNone = Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex')

/**
 * An attestation object with the statement that a browser puts in place of the authenticator's, because the options ask
 * for `none` (WebAuthn, section 5.1.3): a statement from elsewhere is neither trusted nor a reason to refuse a passkey.
 */
function withoutStatement(authData: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = Buffer.from([0x59, authData.length >> 8, authData.length & 0xff])
  return new Uint8Array(Buffer.concat([statementOfNone, length, authData]))
}
