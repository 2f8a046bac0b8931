import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors as http } from '../../http/http.errors.ts'
import { continued } from '../../http/sign-in.contract.ts'
import { presentedSession } from '../../identity/sessions/sessions.contract.ts'
import { emailInput, presentedUser, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { imageInput, nameInput } from '../../kit/inputs.ts'
import { listOf, pageQuery } from '../../kit/page.ts'
import { seconds } from '../../kit/time.ts'
import { twoFactorErrors as factor } from '../two-factor/two-factor.errors.ts'
import { families } from './authenticators.ts'
import { passkeyErrors as errors, unknownPasskey } from './passkey.errors.ts'

/** The limit of passkey sign-in requests, per address. */
const limit = { max: 10, window: seconds(10) }

const base64url = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]*={0,2}$/)
const credentialId = z.string().min(1).max(1400)
const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
const attachment = z.enum(['platform', 'cross-platform'])
const name = nameInput.max(64)

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
    /** The product name of the authenticator, such as "iCloud Keychain"; null if it is unknown. */
    authenticator: z.string().nullable(),
    /** Its kind, by the product, or by what the browser says about an unknown one. For display only. */
    family: z.enum(families),
  })
  .meta({ id: 'Passkey' })

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(transport).max(16).optional(),
})
const userVerification = z.enum(['discouraged', 'preferred', 'required'])

/** PublicKeyCredentialCreationOptionsJSON and PublicKeyCredentialRequestOptionsJSON (WebAuthn, section 5.1). */
const hints = z.array(z.enum(['hybrid', 'security-key', 'client-device'])).max(3)

const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })).max(16),
  timeout: z.number(),
  attestation: z.enum(['none', 'direct']),
  excludeCredentials: listOf(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.enum(['discouraged', 'preferred', 'required']),
    userVerification,
    authenticatorAttachment: attachment.optional(),
    requireResidentKey: z.boolean(),
  }),
  extensions: z.object({ credProps: z.boolean() }),
  hints,
})
const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  allowCredentials: listOf(descriptor).optional(),
  timeout: z.number(),
  userVerification,
  hints: hints.optional(),
})

/** The generated options. The library's types declare fields as optional that are always present. */
export type CreationOptions = z.input<typeof creationOptions>
export type RequestOptions = z.input<typeof requestOptions>

/** The fields of a credential except its response. The browser sets them without proof. */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  // The options request no extension whose result is read.
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
    // Unknown ones are dropped, as in the standard.
    transports: z
      .array(z.string().max(32))
      .max(16)
      .transform((given) => given.filter((one) => transport.safeParse(one).success) as z.infer<typeof transport>[])
      .optional(),
    publicKeyAlgorithm: z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).optional(),
    publicKey: base64url.optional(),
    authenticatorData: base64url.optional(),
  }),
})

export const authenticationResponse = z.object({
  ...credential,
  response: z.object({
    authenticatorData: base64url,
    clientDataJSON: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((given) => given ?? undefined),
  }),
})

const authenticateOptions = {
  summary: 'Starts a passkey sign-in and returns the options for navigator.credentials.get()',
  access: 'visitor',
  answer: requestOptions,
  errors: [],
  budget: { d1: 2, durable: 1 },
  changes: ['verification'],
} as const

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  /** With `passkeySignUp`, a visitor creates an account with only a passkey. */
  features: { passkey: true; passkeySignUp?: true }
  /** The domain that passkeys are bound to, whether sign-ins with a password may lead to one without a question, and whether they need one. */
  passkey: { rpId: string; automatic: boolean; secondFactor?: true }
}

export const passkeyContract = {
  passkeyEndpoints: get('/.well-known/passkey-endpoints', {
    // Password managers ask at the origin, without a session.
    at: { also: ['/.well-known/passkey-endpoints'] },
    origins: { any: true },
    summary: 'Returns the pages where users create and manage passkeys (W3C, Passkey Endpoints)',
    access: 'visitor',
    answer: z.object({ enroll: z.string(), manage: z.string() }),
    errors: [],
    budget: {},
    changes: [],
  }),
  relatedOrigins: get('/.well-known/webauthn', {
    // Browsers ask at the origin of the domain, without cookies.
    at: { also: ['/.well-known/webauthn'] },
    origins: { any: true },
    summary: 'Returns the other origins whose pages use the passkeys of this domain (WebAuthn, section 5.11)',
    access: 'visitor',
    answer: z.object({ origins: z.array(z.string()).max(100) }),
    errors: [http.NOT_FOUND],
    budget: {},
    changes: [],
  }),
  generateSignUpOptions: post('/passkey/generate-sign-up-options', {
    summary: 'Starts a sign-up with a passkey and returns the options for navigator.credentials.create()',
    access: 'visitor',
    input: { body: z.object({ email: emailInput }) },
    answer: creationOptions,
    errors: [errors.PASSKEY_SIGN_UP_IS_NOT_ENABLED],
    limits: { rate: limit },
    budget: { durable: 1 },
    changes: ['verification'],
  }),
  signUpPasskey: post('/sign-up/passkey', {
    summary: 'Completes a sign-up with a passkey: creates the user and signs in',
    access: 'visitor',
    // Additional keys are the fields of the configuration and of other features.
    input: {
      body: z.looseObject({
        name: nameInput.min(1),
        email: emailInput,
        response: registrationResponse,
        image: imageInput.nullish(),
        callbackURL: urlInput.optional(),
      }),
    },
    answer: z.object({ token: z.string().nullable(), user: presentedUser }),
    errors: [
      errors.PASSKEY_SIGN_UP_IS_NOT_ENABLED,
      errors.CHALLENGE_NOT_FOUND,
      errors.FAILED_TO_VERIFY_REGISTRATION,
      errors.AUTHENTICATOR_NOT_ALLOWED,
      errors.PREVIOUSLY_REGISTERED,
      core.DISPOSABLE_EMAIL,
      core.USER_ALREADY_EXISTS,
    ],
    limits: { rate: { max: 3, window: seconds(10) } },
    budget: { d1: 2, durable: 2 },
    changes: ['user', 'session', 'passkey', 'verification'],
    audit: 'sign-up.passkey',
  }),
  listUserPasskeys: get('/passkey/list-user-passkeys', {
    summary: 'Lists the passkeys of the caller',
    access: 'session',
    input: { query: z.object(pageQuery) },
    answer: listOf(presentedPasskey),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 1100 },
    changes: [],
    reads: { replica: true },
  }),
  generateRegisterOptions: get('/passkey/generate-register-options', {
    summary: 'Starts the registration of a passkey and returns the options for navigator.credentials.create()',
    access: 'recent-authentication',
    accessRules: { addsWayIn: true },
    input: {
      query: z.object({
        authenticatorAttachment: attachment.optional(),
        name: name.optional(),
        /** For `mediation: 'conditional'`: a passkey without a question, which then needs no verification of the user. */
        automatic: z.literal('true').optional(),
      }),
    },
    answer: creationOptions,
    errors: [
      core.UNAUTHORIZED,
      http.OWN_SESSION_REQUIRED,
      core.SESSION_IS_NOT_FRESH,
      // An automatic one, while only some authenticators are allowed.
      errors.AUTHENTICATOR_NOT_ALLOWED,
    ],
    // The second round trip reads the methods of a step-up for the error.
    budget: { d1: 2, durable: 1 },
    changes: ['verification'],
  }),
  verifyRegistration: post('/passkey/verify-registration', {
    summary: 'Verifies the registration response and stores the passkey',
    access: 'recent-authentication',
    accessRules: { addsWayIn: true },
    input: {
      body: z.object({ response: registrationResponse, name: name.optional(), automatic: z.boolean().optional() }),
    },
    answer: presentedPasskey,
    errors: [
      core.UNAUTHORIZED,
      http.OWN_SESSION_REQUIRED,
      core.SESSION_IS_NOT_FRESH,
      errors.CHALLENGE_NOT_FOUND,
      errors.FAILED_TO_VERIFY_REGISTRATION,
      errors.AUTHENTICATOR_NOT_ALLOWED,
      errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY,
      errors.PREVIOUSLY_REGISTERED,
      errors.TOO_MANY_PASSKEYS,
    ],
    budget: { d1: 2, durable: 2 },
    limits: { whenFull: 'secures', rate: { max: 10, window: seconds(60) } },
    changes: ['account', 'passkey', 'verification'],
    audit: 'passkey.verify-registration',
  }),
  generateAuthenticateOptions: post('/passkey/generate-authenticate-options', {
    ...authenticateOptions,
    // The address does not affect the response, which never reveals a user's passkeys to a visitor.
    input: { body: z.object({ email: z.string().max(254).optional() }) },
  }),
  // The path of clients from version 1.3.
  generateAuthenticateOptionsByGet: get('/passkey/generate-authenticate-options', authenticateOptions),
  verifyAuthentication: post('/passkey/verify-authentication', {
    summary: 'Verifies the authentication response and signs in',
    access: 'visitor',
    // The response contains the callback as `url` if it is permitted.
    input: { body: z.object({ response: authenticationResponse, callbackURL: urlInput.optional() }) },
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
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 3, durable: 3 },
    changes: ['session', 'verification'],
    audit: 'passkey.verify-authentication',
  }),
  secondFactorOptions: get('/passkey/second-factor-options', {
    summary:
      'Starts the passkey step of a sign-in with a password and returns the options for navigator.credentials.get()',
    access: 'visitor',
    answer: requestOptions,
    errors: [factor.INVALID_TWO_FACTOR_COOKIE],
    limits: { rate: limit },
    budget: { d1: 2, durable: 1 },
    changes: ['verification'],
  }),
  verifySecondFactor: post('/passkey/verify-second-factor', {
    summary: 'Verifies the passkey that a sign-in with a password waits for, and signs in',
    access: 'visitor',
    input: {
      body: z.object({
        response: authenticationResponse,
        /** Only for users who have set up another second factor, too. */
        trustDevice: z.boolean().optional(),
        callbackURL: urlInput.optional(),
      }),
    },
    answer: z.object({ ...continued, token: z.string().optional(), user: presentedUser }),
    errors: [
      factor.INVALID_TWO_FACTOR_COOKIE,
      errors.CHALLENGE_NOT_FOUND,
      errors.AUTHENTICATION_FAILED,
      core.FAILED_TO_CREATE_SESSION,
    ],
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 3, durable: 3 },
    changes: ['session', 'verification'],
    audit: 'passkey.verify-second-factor',
  }),
  stepUpPasskeyOptions: get('/step-up/passkey-options', {
    summary: 'Starts a step-up and returns the options for navigator.credentials.get() with the passkeys of the caller',
    access: 'own-session',
    answer: requestOptions,
    errors: [core.UNAUTHORIZED, http.OWN_SESSION_REQUIRED],
    budget: { d1: 2, durable: 1 },
    changes: ['verification'],
  }),
  updatePasskey: post('/passkey/update-passkey', {
    summary: 'Renames a passkey',
    access: 'own-session',
    input: { body: z.object({ id: z.string().min(1).max(64), name: name.min(1) }) },
    answer: z.object({ passkey: presentedPasskey }),
    errors: [
      core.UNAUTHORIZED,
      http.OWN_SESSION_REQUIRED,
      errors.PASSKEY_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY,
    ],
    budget: { d1: 3 },
    changes: ['account', 'passkey'],
    audit: 'passkey.update-passkey',
    limits: { creates: false },
  }),
  deletePasskey: post('/passkey/delete-passkey', {
    summary: 'Deletes a passkey; rejects the last sign-in method',
    access: 'recent-authentication',
    input: { body: z.object({ id: z.string().min(1).max(64) }) },
    answer: z.null(),
    errors: [
      core.UNAUTHORIZED,
      http.OWN_SESSION_REQUIRED,
      core.SESSION_IS_NOT_FRESH,
      errors.PASSKEY_NOT_FOUND,
      core.LAST_WAY_TO_SIGN_IN,
    ],
    budget: { d1: 3 },
    changes: ['account', 'passkey'],
    audit: 'passkey.delete-passkey',
    limits: { creates: 'ends' },
  }),
}
