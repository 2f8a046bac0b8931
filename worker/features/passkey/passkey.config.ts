import * as z from 'zod'
import { defineOptions } from '../../kit/options.ts'
import { minutes, seconds } from '../../kit/time.ts'

export const passkeyOptions = defineOptions(
  'passkey',
  {
    enabled: true,
    /** The domain that passkeys are for, without scheme and port; null: the base URL's host. Changing it ends them all. */
    rpID: null as string | null,
    /** The name that browsers show; null: the application's. */
    rpName: null as string | null,
    /** Where ceremonies may happen: pages, or native apps (`android:apk-key-hash:…`); null: the base URL. */
    origin: null as string | readonly string[] | null,
    authenticatorSelection: {
      /** `required`: only keys that an authenticator can list by itself, which autofill needs. */
      residentKey: 'preferred' as 'discouraged' | 'preferred' | 'required',
      /** `required`: a key whose authenticator does not verify its user is refused. */
      userVerification: 'preferred' as 'discouraged' | 'preferred' | 'required',
      authenticatorAttachment: undefined as 'platform' | 'cross-platform' | undefined,
    },
    /** Whether people may sign up with a passkey alone, without a password. */
    signUp: false,
    /** How long a ceremony may take. */
    challengeLifetime: minutes(5),
    /** What browsers are told about that: how long their dialog stays. */
    timeout: seconds(60),
    /** Per person. */
    maximumPasskeys: 50,
  },
  undefined,
  {
    rpID: z.string().nullable(),
    rpName: z.string().nullable(),
    origin: z.union([z.string(), z.array(z.string())]).nullable(),
    authenticatorSelection: {
      residentKey: z.enum(['discouraged', 'preferred', 'required']),
      userVerification: z.enum(['discouraged', 'preferred', 'required']),
      authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
    },
  },
)
