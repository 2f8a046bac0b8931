import { defineOptions } from '../../kit/options.ts'
import { minutes } from '../../kit/time.ts'

export const magicLinkOptions = defineOptions('magicLink', {
  enabled: true,
  expiresIn: minutes(5),
  /** Links are mailed only to people who have an account. */
  disableSignUp: false,
})
