import { defineOptions } from '../../kit/options.ts'

export const usernameOptions = defineOptions('username', {
  enabled: true,
  minUsernameLength: 3,
  maxUsernameLength: 30,
})
