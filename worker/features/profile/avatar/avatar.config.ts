import { defineOptions, flag, section } from '../../../kit/options.ts'

/** On: users upload an image. Off: users enter the address of their `image`. */
export const avatarOptions = defineOptions('avatar', () => section({ enabled: flag(true) }))
