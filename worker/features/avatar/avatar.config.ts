import { defineOptions } from '../../kit/options.ts'

export const avatarOptions = defineOptions('avatar', {
  /** People may upload a picture; without it `image` is an address that they type. */
  enabled: true,
})
