import { defineOptions, flag, positive, section } from '../../kit/options.ts'

export const usernameOptions = defineOptions(
  'username',
  () =>
    section({
      enabled: flag(true),
      /** The minimum length, in characters. */
      minUsernameLength: positive.default(3),
      /** The maximum length, in characters. */
      maxUsernameLength: positive.default(30),
    }),
  {
    contradictions: ({ minUsernameLength, maxUsernameLength }) => [
      [
        maxUsernameLength < minUsernameLength,
        'username.maxUsernameLength',
        'must not be less than username.minUsernameLength',
      ],
    ],
  },
)
