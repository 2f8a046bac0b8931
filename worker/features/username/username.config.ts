import { defineOptions, flag, positive, section } from '../../kit/options.ts'

export const usernameOptions = defineOptions(
  'username',
  section({
    enabled: flag(true),
    minUsernameLength: positive.default(3),
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
