import * as z from 'zod'
import type { Scope } from '../../identity/scope.ts'
import type { DeploymentFacts } from '../../identity/settings.ts'
import { defineOptions, flag, positive, section } from '../../kit/options.ts'
import { minutes, seconds } from '../../kit/time.ts'
import { originOf } from '../../kit/urls.ts'
import { twoFactorOptions } from '../two-factor/two-factor.config.ts'

const isHttpsOrigin = (text: string) => text.startsWith('https://') && originOf(text) === text

const isCertificate = (text: string) =>
  /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/.test(text)

const preference = z.enum(['discouraged', 'preferred', 'required']).default('preferred')

export const passkeyOptions = defineOptions(
  'passkey',
  () =>
    section({
      enabled: flag(true),
      /** The domain of passkeys, without scheme and port; null: the base URL's host. A change ends all passkeys. */
      rpID: z.string().nullable().default(null),
      /** The name that browsers show; null: the application's. */
      rpName: z.string().nullable().default(null),
      /**
       * Origins of ceremonies: pages, or native apps (`android:apk-key-hash:…`). null: the base URL, and those of
       * `trustedOrigins` whose host is `rpID` or below it.
       */
      origin: z
        .union([z.string(), z.array(z.string())])
        .nullable()
        .default(null),
      authenticatorSelection: section({
        /** `required`: only discoverable keys, which autofill needs. */
        residentKey: preference,
        /** `required`: a key whose authenticator does not verify its user is rejected. */
        userVerification: preference,
        /** `platform`: only the device itself; `cross-platform`: only security keys and phones. @default both */
        authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
      }),
      /**
       * Other sites of yours whose pages use the same passkeys, such as `https://example.co.uk` beside `example.com` (related
       * origins): `/.well-known/webauthn` of the domain names them, which `rpID` has to serve. Browsers accept five different
       * names before the public suffix at least. Each is also one of `trustedOrigins`.
       */
      relatedOrigins: z
        .array(z.string().refine(isHttpsOrigin, 'must be an origin such as https://example.co.uk'))
        .max(50)
        .default([]),
      /** What browsers show first: the device itself, a phone by QR code, or a security key. The user can choose another one. */
      hints: z
        .array(z.enum(['client-device', 'hybrid', 'security-key']))
        .max(3)
        .default([]),
      /**
       * Whether a sign-in with a password from the browser's password manager leads to a passkey without a question, where the
       * browser can (conditional creation), for users who have none. The owner gets the notice of a new passkey.
       */
      automatic: flag(true),
      /** Which authenticators may make passkeys, for enterprises. Passkeys from before remain. */
      attestation: section({
        /**
         * The models, by AAGUID. With one or more, registrations ask for attestation (`direct`), others are refused, and
         * `automatic` is off. The browser declares the model, unless `roots` prove it.
         */
        allowed: z.array(z.guid().toLowerCase()).max(200).default([]),
        /**
         * Certificates (PEM) of the makers of `allowed`. With one or more, a registration must contain a statement that one
         * of them has signed, which keys of password managers do not have.
         */
        roots: z.array(z.string().refine(isCertificate, 'must be a certificate in PEM')).max(200).default([]),
      }),
      /**
       * Whether a sign-in with a password also needs a passkey, for users who have one; alone, a passkey counts as both
       * factors. Without it, a code to a verified address does, and what the user has set up as second factor.
       */
      secondFactor: flag(false),
      /** Whether visitors may sign up with only a passkey, without a password. */
      signUp: flag(false),
      /** The maximum duration (s) of a ceremony. */
      challengeLifetime: positive.default(minutes(5)),
      /** How long (s) the browser shows its dialog. */
      timeout: positive.default(seconds(60)),
      /** Per user. */
      maximumPasskeys: positive.default(50),
    }),
  {
    contradictions: ({ enabled, attestation: { allowed, roots }, secondFactor }, deployment: DeploymentFacts) => [
      [
        enabled && secondFactor && !twoFactorOptions.of(deployment).enabled,
        'passkey.secondFactor',
        'must not be true while twoFactor.enabled is false',
      ],
      [
        roots.length > 0 && allowed.length === 0,
        'passkey.attestation.roots',
        'must be empty while passkey.attestation.allowed names no authenticator',
      ],
    ],
  },
)

/** Whether a sign-in with a password may lead to a passkey without a question. Such a passkey has no attestation. */
export const createsAutomatically = (scope: Pick<Scope, 'options'>): boolean => {
  const { automatic, attestation } = passkeyOptions.of(scope)
  return automatic && attestation.allowed.length === 0
}
