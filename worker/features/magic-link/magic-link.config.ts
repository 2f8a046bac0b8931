import { defineOptions, flag, positive, section } from '../../kit/options.ts'
import { minutes } from '../../kit/time.ts'

export const magicLinkOptions = defineOptions('magicLink', () =>
  section({
    enabled: flag(true),
    /** Lifetime of a link. */
    expiresIn: positive.default(minutes(5)),
    /** Links are mailed to existing users only. */
    disableSignUp: flag(false),
  }),
)
