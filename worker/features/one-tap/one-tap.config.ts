import { defineOptions } from '../../kit/options.ts'

/** Google One Tap. It needs the client id of `socialProviders.google`, or one of its own. */
export const oneTapOptions = defineOptions('oneTap', {
  enabled: true,
  clientId: '',
  /** Nobody gets a new account this way. */
  disableSignup: false,
})
