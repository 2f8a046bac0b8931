import { defineOptions } from '../../kit/options.ts'

export const bearerOptions = defineOptions('bearer', { enabled: true })
