import * as z from 'zod'
import type { User } from '../../identity/users/users.table.ts'
import { callable } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import type { Env } from '../../platform/env.ts'

export const anonymousOptions = defineOptions(
  'anonymous',
  {
    enabled: true,
    /** What stands behind the @ of a guest's placeholder. @default the host of the base URL */
    emailDomainName: null as string | null,
    /** A guest stays when they have signed in to a real account. */
    disableDeleteAnonymousUser: false,
    /** @default 'Anonymous' */
    generateName: null as null | (() => string),
    /** Carries over what the application keeps for a guest, before the guest is deleted. */
    onLinkAccount: null as
      | null
      | ((link: { anonymousUser: User; newUser: User }, context: { env: Env }) => void | Promise<void>),
  },
  undefined,
  {
    emailDomainName: z.string().min(1).nullable(),
    generateName: callable().nullable(),
    onLinkAccount: callable().nullable(),
  },
)
