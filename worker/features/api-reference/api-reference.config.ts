import * as z from 'zod'
import { defineOptions, flag, section } from '../../kit/options.ts'

export const apiReferenceOptions = defineOptions('openAPI', () =>
  section({
    /** null: on in development. */
    enabled: z.boolean().nullable().default(null),
    /** Disables the page but not the generated document. */
    disableDefaultReference: flag(false),
    /** The address of the page, in addition to the protocol's (`/api/auth/reference`). */
    path: z
      .string()
      .regex(
        /^\/(api|\.well-known)(\/[\w.-]+)+$/,
        'must be a path below /api/, such as /api/reference: the app serves all other paths',
      )
      .default('/api/reference'),
  }),
)
