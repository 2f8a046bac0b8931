import { defineOptions, flag, section } from '../../../kit/options.ts'

export const bearerOptions = defineOptions('bearer', () => section({ enabled: flag(true) }))
