import * as z from 'zod'
import { defineOptions, section } from '../../kit/options.ts'

/** The hosted sign-in. */
export const signInOptions = defineOptions('signIn', () =>
  section({
    /**
     * `identifier-first`: the address, then the password, or a code or link by mail. `combined`: address and password in
     * one form.
     */
    flow: z.enum(['identifier-first', 'combined']).default('identifier-first'),
  }),
)
