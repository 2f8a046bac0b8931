import * as z from 'zod'
import { defineOptions } from '../../kit/options.ts'

export const apiReferenceOptions = defineOptions(
  'openAPI',
  {
    /** Off in production unless the configuration says otherwise. */
    enabled: null as boolean | null,
    /** The page can be turned off by itself; the generated document stays. */
    disableDefaultReference: false,
    /** Where the page lies, beside its place in the protocol (`/api/auth/reference`). */
    path: '/api/reference',
  },
  undefined,
  {
    enabled: z.boolean().nullable(),
    path: z
      .string()
      .regex(
        /^\/(api|\.well-known)(\/[\w.-]+)+$/,
        'must be a path below /api/, such as /api/reference: others are served as the app',
      ),
  },
)
