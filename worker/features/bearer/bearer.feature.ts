import { defineFeature } from '../../http/feature.ts'
import { bearerOptions } from './bearer.config.ts'

export const bearer = defineFeature({
  name: 'bearer',
  options: bearerOptions,
})
