import * as z from 'zod'
import { defineOptions, flag, section } from '../../../kit/options.ts'

/** Google One Tap. It requires its own client id or the one of `socialProviders.google`. */
export const oneTapOptions = defineOptions('oneTap', () =>
  section({
    enabled: flag(true),
    /** The client id at Google; empty: the one of `socialProviders.google`. */
    clientId: z.string().default(''),
    /** Sign-ins create no users. */
    disableSignup: flag(false),
  }),
)
