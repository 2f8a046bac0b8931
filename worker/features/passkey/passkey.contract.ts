import * as z from 'zod'
import { continued } from '../../http/continue-to.ts'
import { endpoint } from '../../http/endpoint.ts'
import { httpErrors as http } from '../../http/http.errors.ts'
import { presentedSession } from '../../identity/sessions/sessions.contract.ts'
import { emailInput, presentedUser, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { seconds } from '../../kit/time.ts'
import { passkeyErrors as errors, unknownPasskey } from './passkey.errors.ts'

/** What signing in by a passkey may be tried, per address. */
const limit = { max: 10, window: seconds(10) }

const base64url = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]*={0,2}$/)
const credentialId = z.string().min(1).max(1400)
const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
const attachment = z.enum(['platform', 'cross-platform'])
const name = z.string().trim().max(64)

const presentedPasskey = z
  .object({
    name: z.string().nullable(),
    publicKey: z.string(),
    userId: z.string(),
    credentialID: z.string(),
    counter: z.number(),
    deviceType: z.enum(['singleDevice', 'multiDevice']),
    backedUp: z.boolean(),
    /** Joined by commas. */
    transports: z.string().nullable(),
    createdAt: z.date(),
    aaguid: z.string(),
    lastUsedAt: z.date().nullable(),
    id: z.string(),
    /** What people call the authenticator, such as "iCloud Keychain"; null when it is not known. */
    authenticator: z.string().nullable(),
  })
  .meta({ id: 'Passkey' })

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(transport).optional(),
})
const userVerification = z.enum(['discouraged', 'preferred', 'required'])

/** PublicKeyCredentialCreationOptionsJSON and PublicKeyCredentialRequestOptionsJSON (WebAuthn, section 5.1). */
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.enum(['discouraged', 'preferred', 'required']),
    userVerification,
    authenticatorAttachment: attachment.optional(),
    requireResidentKey: z.boolean(),
  }),
  extensions: z.object({ credProps: z.boolean() }),
  hints: z.array(z.enum(['hybrid', 'security-key', 'client-device'])),
})
const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  allowCredentials: z.array(descriptor).optional(),
  timeout: z.number(),
  userVerification,
})

/** The options as we make them: the library's types leave open what we always give. */
export type CreationOptions = z.input<typeof creationOptions>
export type RequestOptions = z.input<typeof requestOptions>

/** What a credential brings beside its response; all of it is the browser's word. */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  // None is asked for that would be read.
  clientExtensionResults: z
    .unknown()
    .optional()
    .transform(() => ({})),
  authenticatorAttachment: attachment.nullish().transform((given) => given ?? undefined),
}

const registrationResponse = z.object({
  ...credential,
  response: z.object({
    attestationObject: base64url,
    clientDataJSON: base64url,
    // Unknown ones are dropped, as the standard asks.
    transports: z
      .array(z.string().max(32))
      .max(16)
      .transform((given) => given.filter((one) => transport.safeParse(one).success) as z.infer<typeof transport>[])
      .optional(),
    publicKeyAlgorithm: z.number().optional(),
    publicKey: base64url.optional(),
    authenticatorData: base64url.optional(),
  }),
})

const authenticationResponse = z.object({
  ...credential,
  response: z.object({
    authenticatorData: base64url,
    clientDataJSON: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((given) => given ?? undefined),
  }),
})

const authenticateOptions = {
  path: '/passkey/generate-authenticate-options',
  summary: 'Begins a sign-in: what the browser passes to navigator.credentials.get()',
  access: 'visitor',
  answer: requestOptions,
  errors: [],
  budget: { d1: 2, durable: 1 },
  changes: ['verification'],
} as const

export const passkeyContract = {
  generateSignUpOptions: endpoint({
    method: 'POST',
    path: '/passkey/generate-sign-up-options',
    summary: 'Begins a sign-up with a passkey alone: what the browser passes to navigator.credentials.create()',
    access: 'visitor',
    body: z.object({ email: emailInput }),
    answer: creationOptions,
    errors: [errors.PASSKEY_SIGN_UP_IS_NOT_ENABLED],
    limit,
    budget: { durable: 1 },
    changes: ['verification'],
  }),
  signUpPasskey: endpoint({
    method: 'POST',
    path: '/sign-up/passkey',
    summary: 'Ends it: creates a user with the passkey, and signs in',
    access: 'visitor',
    // Extra keys are the fields of the configuration and of other features.
    body: z.looseObject({
      name: z.string().trim().min(1).max(256),
      email: emailInput,
      response: registrationResponse,
      image: urlInput.nullish(),
      callbackURL: urlInput.optional(),
    }),
    answer: z.object({ token: z.string().nullable(), user: presentedUser }),
    errors: [
      errors.PASSKEY_SIGN_UP_IS_NOT_ENABLED,
      errors.CHALLENGE_NOT_FOUND,
      errors.FAILED_TO_VERIFY_REGISTRATION,
      errors.PREVIOUSLY_REGISTERED,
      core.USER_ALREADY_EXISTS,
    ],
    limit: { max: 3, window: seconds(10) },
    budget: { d1: 2, durable: 2 },
    changes: ['user', 'session', 'passkey', 'verification'],
  }),
  listUserPasskeys: endpoint({
    method: 'GET',
    path: '/passkey/list-user-passkeys',
    summary: "The caller's passkeys",
    access: 'session',
    answer: z.array(presentedPasskey),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  generateRegisterOptions: endpoint({
    method: 'GET',
    path: '/passkey/generate-register-options',
    summary: 'Begins a registration: what the browser passes to navigator.credentials.create()',
    access: 'fresh-session',
    query: z.object({ authenticatorAttachment: attachment.optional(), name: name.optional() }),
    answer: creationOptions,
    errors: [core.UNAUTHORIZED, http.OWN_SESSION_REQUIRED, core.SESSION_IS_NOT_FRESH],
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
  verifyRegistration: endpoint({
    method: 'POST',
    path: '/passkey/verify-registration',
    summary: 'Ends a registration: stores the passkey',
    access: 'fresh-session',
    body: z.object({ response: registrationResponse, name: name.optional() }),
    answer: presentedPasskey,
    errors: [
      core.UNAUTHORIZED,
      http.OWN_SESSION_REQUIRED,
      core.SESSION_IS_NOT_FRESH,
      errors.CHALLENGE_NOT_FOUND,
      errors.FAILED_TO_VERIFY_REGISTRATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY,
      errors.PREVIOUSLY_REGISTERED,
      errors.TOO_MANY_PASSKEYS,
    ],
    budget: { d1: 2, durable: 1 },
    changes: ['account', 'passkey', 'verification'],
  }),
  generateAuthenticateOptions: endpoint({
    ...authenticateOptions,
    method: 'POST',
    // An address makes no difference: which passkeys somebody has is told to nobody else.
    body: z.object({ email: z.string().max(254).optional() }),
  }),
  // As clients ask from 1.3 on.
  generateAuthenticateOptionsByGet: endpoint({ ...authenticateOptions, method: 'GET' }),
  verifyAuthentication: endpoint({
    method: 'POST',
    path: '/passkey/verify-authentication',
    summary: 'Ends a sign-in with a passkey',
    access: 'visitor',
    // The callback is answered as `url` when it may be gone to.
    body: z.object({ response: authenticationResponse, callbackURL: urlInput.optional() }),
    answer: z.union([
      z.object({ ...continued, session: presentedSession }),
      z.object({ twoFactorRedirect: z.literal(true) }),
    ]),
    errors: [
      errors.CHALLENGE_NOT_FOUND,
      unknownPasskey,
      errors.AUTHENTICATION_FAILED,
      core.EMAIL_NOT_VERIFIED,
      core.FAILED_TO_CREATE_SESSION,
    ],
    limit,
    budget: { d1: 3, durable: 3 },
    changes: ['session', 'verification'],
  }),
  updatePasskey: endpoint({
    method: 'POST',
    path: '/passkey/update-passkey',
    summary: 'Renames a passkey',
    access: 'own-session',
    body: z.object({ id: z.string().min(1).max(64), name: name.min(1) }),
    answer: z.object({ passkey: presentedPasskey }),
    errors: [
      core.UNAUTHORIZED,
      http.OWN_SESSION_REQUIRED,
      errors.PASSKEY_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY,
    ],
    budget: { d1: 3 },
    changes: ['account', 'passkey'],
  }),
  deletePasskey: endpoint({
    method: 'POST',
    path: '/passkey/delete-passkey',
    summary: 'Deletes a passkey, but not the last way in',
    access: 'own-session',
    body: z.object({ id: z.string().min(1).max(64) }),
    answer: z.null(),
    errors: [
      core.UNAUTHORIZED,
      http.OWN_SESSION_REQUIRED,
      errors.PASSKEY_NOT_FOUND,
      errors.YOU_CANT_DELETE_YOUR_LAST_WAY_IN,
    ],
    budget: { d1: 3 },
    changes: ['account', 'passkey'],
  }),
}
